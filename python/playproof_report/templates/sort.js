// Headings of tables that can be sorted become buttons. Without a script the tables are as they are.
document.querySelectorAll("table.sortable").forEach(function (table) {
  var body = table.tBodies[0], heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach(function (head, column) {
    var button = document.createElement("button");
    button.type = "button";
    button.append.apply(button, Array.from(head.childNodes));
    head.append(button);
    button.addEventListener("click", function () {
      var down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach(function (other) { other.removeAttribute("aria-sort"); });
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      function value(row) { return Number(row.cells[column].dataset.value); }
      var rows = Array.from(body.rows).sort(function (a, b) {
        return down ? value(b) - value(a) : value(a) - value(b);
      });
      body.append.apply(body, rows);
    });
  });
});
