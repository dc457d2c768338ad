"""Whether every link inside a site leads to a page, and to an anchor where it names one.
usage: check_links.py FOLDER"""

import html.parser
import pathlib
import sys
import urllib.parse


class BadLinks(Exception):
    """What leads nowhere, one a line."""


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.anchors, self.elsewhere = [], set(), []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors |= {values[key] for key in ("id", "name") if values.get(key)}
        for key in ("href", "src"):
            if values.get(key):
                self.links.append(values[key])
                # What a browser fetches by itself must come with the site.
                if tag in ("script", "img", "link") and urllib.parse.urlsplit(values[key]).netloc:
                    self.elsewhere.append(values[key])


def check(folder, foreign=()):
    """(pages, links); raises BadLinks. In folders that are `foreign` only the pages must be there, not the
    anchors: doxygen names some that it does not make."""
    folder = pathlib.Path(folder).resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    bad, count = [], 0
    for path, page in pages.items():
        name = path.relative_to(folder)
        bad += [f"{name}: fetches {link} from elsewhere" for link in page.elsewhere]
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            there = path.parent / urllib.parse.unquote(parts.path) if parts.path else path
            there = there.resolve()
            if not there.is_relative_to(folder) or not there.is_file():
                bad.append(f"{name}: {link} leads nowhere")
            elif parts.fragment and there in pages and name.parts[0] not in foreign:
                if urllib.parse.unquote(parts.fragment) not in pages[there].anchors:
                    bad.append(f"{name}: {link} names no anchor there")
    if not pages:
        bad.append(f"{folder}: no pages")
    if bad:
        raise BadLinks("\n".join(bad))
    return len(pages), count


if __name__ == "__main__":
    try:
        print("%d pages, %d links" % check(sys.argv[1]))
    except BadLinks as error:
        sys.exit(str(error))
