'use strict';
// Shows the nodes of a certificate, or of a search, one at a time. docs/view.md has the forms of
// the data. A place is named by the address: the number of the claim, then the choices made since.
(() => {
  const element = (id) => document.getElementById(id);
  const data = JSON.parse(element('data').textContent);
  const head = data.head;
  const nodes = new Map(data.nodes.map((node) => [node[0], node]));
  const searched = head.kind === 'search';
  const board = head.board;
  const names = head.players;
  const attacker = head.attacker === 'first' ? 0 : 1;
  const claims = searched ? [{ root: 0, proved: true }] : head.claims;
  const cellNames = board ? board.rows.flatMap((row) => board.columns.map((c) => c + row)) : [];
  const cellOf = new Map(cellNames.map((name, cell) => [name, cell]));
  const stones = ['X', 'O'];

  const capital = (text) => text[0].toUpperCase() + text.slice(1);
  const count = (n, one, many) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
  const isCard = (kind) => kind.startsWith('card-');
  const isLink = (kind) => kind.startsWith('link-');
  const isRace = (kind) => kind.startsWith('race-');
  const kindOf = (place) => place.node[2];
  const proverOf = (claim) => (claims[claim].proved ? attacker : 1 - attacker);

  // ---- the data ------------------------------------------------------------------------------

  // The node of a number; undefined if the page lacks it.
  async function nodeOf(number) {
    if (!nodes.has(number) && head.served) {
      const answer = await fetch(`node/${number}`);
      if (!answer.ok) throw new Error(`the program answers ${answer.status}`);
      nodes.set(number, await answer.json());
    }
    return nodes.get(number);
  }
  const isHere = (number) => head.served || nodes.has(number);

  // ---- positions and the choices that lead on ------------------------------------------------

  // A position word of a certificate: the cells by rows; a colon and the side to move in Othello,
  // in Hex where the number of stones does not tell it.
  function readBoard(word) {
    if (!board) return { cells: null, text: word, mover: null };
    const [cells, side] = word.split(':');
    const stone = (c) => ('BX'.includes(c) ? 'X' : 'WO'.includes(c) ? 'O' : '.');
    return { cells: [...cells].map(stone), mover: side ? stones.indexOf(stone(side)) : null };
  }
  // The position after a move of `player`, as far as what follows needs it: cards and links have no
  // board of their own.
  function played(position, move, player) {
    const cell = cellOf.get(move);
    const cells = position.cells ? [...position.cells] : null;
    if (cells && cell !== undefined) cells[cell] = stones[player];
    return { cells, mover: 1 - player, last: move, ghosts: position.ghosts };
  }
  function placeAt(claim, node, position) {
    const kind = node[2];
    const place = { claim, node, cells: position.cells, text: null, mover: position.mover,
      last: position.last, ghosts: position.ghosts };
    if (kind === 'search') {
      Object.assign(place, board ? { cells: [...node[3]] } : { text: node[3] });
      place.mover = node[4] ? 0 : 1;
    } else if (!isCard(kind) && !isLink(kind)) {
      Object.assign(place, readBoard(node[3]));
      if (kind === 'one' || isRace(kind)) place.mover = proverOf(claim);
      if (kind === 'all') place.mover = 1 - proverOf(claim);
    }
    return place;
  }
  const startOf = (claim, node) => placeAt(claim, node, {
    cells: board ? [...head.start.cells] : null, mover: head.start.first ? 0 : 1, last: null,
    ghosts: [] });

  // On a graph, where moves are numbers of arrows, with the node that one leads to.
  const moveText = (text, to) => (searched || !to[4] ? text : `${text} to ${to[4]}`);
  const move = (place, text, to, player) => ({ key: text, label: moveText(text, to), move: text, to,
    position: played(place, text, player) });

  function choicesOfCardAll(place, cards) {
    const prover = proverOf(place.claim);
    if (place.mover !== prover) {
      return cellNames.filter((_, cell) => place.cells[cell] === '.').map((name) => {
        const card = cards.find(([, pattern]) => pattern[cellOf.get(name)] === '.');
        return move(place, name, card[0], 1 - prover);
      });
    }
    // It holds whoever moves, and so does what it rests on.
    return [{ key: 'below', label: 'the first card below', move: null, to: cards[0][0],
      position: place }];
  }
  function choicesOfLink(place) {
    const [, , kind, , end1, end2, ...rest] = place.node;
    if (kind === 'link-or') {
      return rest[0].map((to) => ({ key: `link-${to[0]}`, move: null, to, position: place,
        label: to[3] ? `the link over ${to[3]}` : `the link in line ${to[0]} of the file` }));
    }
    const [cell, half1, half2] = rest;
    const position = { ...place, ghosts: [...place.ghosts, cell] };
    const halves = [['first', half1, end1, cell], ['second', half2, cell, end2]];
    return halves.filter(([, to]) => to).map(([key, to, from, end]) => (
      { key, label: `${from} to ${end}`, move: null, to, position }));
  }
  // ---- races -----------------------------------------------------------------------------------

  // The stones that the other side has after a turn of the prover: some of its own turn, or, with
  // '*', more than it has.
  const cellsOfReply = (reply) => (reply === '-' ? [] : reply.split(/[+*]/));
  function replyText(reply) {
    const cells = cellsOfReply(reply);
    if (reply.includes('*')) return `${cells.join(' ')} all at once`;
    if (cells.length === 0) return 'nothing (a null move)';
    return cells.length < turnStones ? `${cells.join(' ')} and free stones` : cells.join(' ');
  }
  const optionOf = (name) => Number((head.game.match(`${name}=(\\d+)`) ?? [0, 0])[1]);
  const turnStones = optionOf('stones');
  // The windows of cells in a line that the prover fills next unless they are hit, after his turn:
  // of place 0, as the proof counts them.
  function threatsOf(place) {
    const [, , , places, turn] = place.node;
    const own = stones[proverOf(place.claim)];
    const width = board.columns.length, height = board.rows.length, length = optionOf('connect');
    const taken = new Set(turn);
    const found = [];
    cellNames.forEach((_, first) => {
      for (const [down, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
        const row = Math.floor(first / width) + (length - 1) * down;
        const column = first % width + (length - 1) * right;
        if (row >= height || column < 0 || column >= width) continue;
        const window = Array.from({ length }, (_, i) => first + i * (down * width + right));
        const open = window.filter((cell) => (
          place.cells[cell] === '.' && !taken.has(cellNames[cell])));
        const live = window.every((cell) => '.' === place.cells[cell] || own === place.cells[cell]);
        const counts = open.every((cell) => places[cell] === '0');
        if (live && counts && open.length <= turnStones) found.push({ window, open });
      }
    });
    return found;
  }
  // What leads on from a place: {key, label, move, to: [line, left, kind, its move], position}.
  function choicesOf(place) {
    const node = place.node;
    const prover = proverOf(place.claim);
    switch (node[2]) {
      case 'one':
        return [move(place, node[4], node[5], prover)];
      case 'all':
        return node[4].map(([text, to]) => move(place, text, to, 1 - prover));
      case 'race-turn':
        return node[5].map(([reply, to]) => ({ key: reply, label: replyText(reply), move: null, to,
          position: { ...place, last: node[4].at(-1) } }));
      case 'card-one':
        if (place.cells[cellOf.get(node[4])] === stones[prover]) {
          return [{ key: 'as-it-is', label: `${node[4]} is there already`, move: null, to: node[5],
            position: place }];
        }
        return [move(place, node[4], node[5], prover)];
      case 'card-all':
        return choicesOfCardAll(place, node[4]);
      case 'card-link':
        return [{ key: 'link', label: 'the link', move: null, to: node[4], position: place }];
      case 'card-fill':
        return [{ key: 'fill', label: 'with these filled', move: null, to: node[4],
          position: place }];
      case 'link-and':
      case 'link-or':
        return choicesOfLink(place);
      case 'search':
        return node[7].map(([text, row]) => (
          { ...move(place, text, row, place.mover), row }));
      default:
        return [];
    }
  }
  // Moves of the prover that a card needs, as plies.
  function pliesOf(kind, left, mover, prover) {
    if (!isCard(kind) || left === 0 || left === null) return left;
    return 2 * left - (mover === prover ? 1 : 0);
  }

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }
  // The place that the address names, or the last one on the way that there is.
  async function placeOf(address) {
    const [number, ...keys] = address.replace(/^#/, '').split('/').map(decoded);
    const claim = claims[Number(number)] ? Number(number) : 0;
    let place = startOf(claim, await nodeOf(claims[claim].root));
    place.trail = [];
    place.row = head.root;
    for (const key of keys.filter((k) => k !== '')) {
      const choice = choicesOf(place).find((c) => c.key === key);
      const node = choice && await nodeOf(choice.to[0]);
      if (!node) break;
      const trail = [...place.trail, { key, label: choice.label }];
      place = { ...placeAt(claim, node, choice.position), trail, row: choice.row };
    }
    return place;
  }
  const addressOf = (claim, keys) => '#' + [claim, ...keys].map(encodeURIComponent).join('/');
  const keysOf = (place) => place.trail.map((step) => step.key);

  // ---- words ---------------------------------------------------------------------------------

  function claimText(claim) {
    const who = capital(names[attacker]) + ', to move,';
    const can = claim.proved ? 'can' : 'cannot';
    if (claim.threshold === 1) return `${who} ${can} win`;
    const draw = claim.proved ? 'can at least' : 'cannot even';
    if (claim.threshold === 0) return `${who} ${draw} draw`;
    return `${who} ${can} reach a score of ${claim.threshold} or more`;
  }
  function cardText(place, prover, other) {
    const needed = /[BW]/.test(place.node[3]) ? `, and ${prover} has the ringed stones` : '';
    return `A card decides this position: no stone of ${other}'s is in the shaded zone${needed}. ` +
      'Nothing else matters. ';
  }
  function raceText(other) {
    return `A digit on a free cell says how many stones more of ${other}'s, one of them there, may ` +
      'matter; elsewhere none does. Shaded: those up to 2, which a null move leaves to be tried.';
  }
  // What must have been on the way here, and what must not.
  function conditionText(positions = []) {
    const been = positions.filter((text) => !text.startsWith('!')).join(', ');
    const not = positions.filter((text) => text.startsWith('!')).map((text) => text.slice(1));
    const parts = [...(been ? [`after ${been}`] : []),
      ...(not.length > 0 ? [`where ${not.join(', ')} did not come before`] : [])];
    return parts.length > 0 ? ` This holds ${parts.join(', ')}.` : '';
  }
  const halfText = (half, from, to) => (half ? `a link joins ${from} and ${to} whoever moves` :
    `stones join ${from} and ${to}`);

  function linkText(place, prover, other) {
    const [, , kind, pattern, end1, end2, ...rest] = place.node;
    if (kind === 'link-or') {
      return [`Link from ${end1} to ${end2}, whoever moves`,
        `No free cell is in all of these ${count(rest[0].length, 'link', 'links')}: whatever ` +
        `${other} takes, one of them is left, and ${prover} is to move. ` +
        'Shaded: the cells that the link needs.'];
    }
    const [cell, half1, half2] = rest;
    const semi = pattern[cellOf.get(cell)] === '-';
    return [`Link from ${end1} to ${end2}, ${semi ? `if ${prover} moves` : 'whoever moves'}`,
      `${semi ? `${capital(prover)} plays ${cell}` : `With the stone on ${cell}`}: then ` +
      `${halfText(half1, end1, cell)}, ${halfText(half2, cell, end2)}, and no free cell is in ` +
      'both. ' +
      'Shaded: the cells that the link needs.'];
  }
  // Of a node of a search: it has children that were not read from the file.
  const isUnread = (node) => (
    head.unread_from !== null && node[6] && node[0] >= head.unread_from);
  function searchText(place) {
    if (place.node[5]) return ['The game is over', ''];
    const mover = capital(names[place.mover]);
    if (place.node[7].length === 0) {
      return [`${mover} to move`, isUnread(place.node) ? '' : 'The search has not looked further.'];
    }
    return [`${mover} to move`, `Moves that are decided for ${names[place.mover]} come first, ` +
      `those decided against it last; the others by ${head.preference}.`];
  }
  // A heading, and what makes the node good (docs/certificate.md).
  function textOf(place) {
    const node = place.node;
    const prover = names[proverOf(place.claim)];
    const other = names[1 - proverOf(place.claim)];
    const Prover = capital(prover);
    switch (node[2]) {
      case 'one':
        return [`${Prover} plays ${moveText(node[4], node[5])}`,
          `${Prover} is to move, and one good move is enough.` + conditionText(node[6])];
      case 'all':
        return [`${capital(other)} to move: ${count(node[4].length, 'reply', 'replies')}`,
          'All legal moves are here.' + conditionText(node[5])];
      case 'again':
        return ['This position comes again',
          `What the rules say of that is good for ${prover}: the game ends, or goes on as it did.`];
      case 'leaf':
        return ['The game is over', 'It ends as the claim says.'];
      case 'bound':
        return ['Nothing needs to be played',
          'The claim is true of every finished position of this game.'];
      case 'recheck':
        return [`${count(node[4], 'empty square', 'empty squares')}: searched by the checker`,
          'The checker tried every line of play from here, and the claim holds.'];
      case 'race-end':
        return [`${Prover} plays ${node[4].join(' ')} and has a line`, raceText(other)];
      case 'race-turn': {
        const turn = `${Prover} plays ${node[4].join(' ')}`;
        const threats = count(threatsOf(place).length, 'line', 'lines');
        if (node[5].length === 0) {
          return [`${turn}, and wins`, `${threats} can be filled next, more than ${other} can hit. ` +
            raceText(other)];
        }
        return [`${turn}: ${count(node[5].length, 'reply', 'replies')}`,
          `${threats} can be filled next unless ${other} hits them. ` + raceText(other)];
      }
      case 'card-leaf':
        return [`${Prover} has won`, `The ringed stones join ${prover}'s edges.`];
      case 'card-pairs':
        return [`${Prover} wins by ${count(node[4].length, 'pair', 'pairs')}`,
          cardText(place, prover, other) + `When ${other} takes a cell of a pair, ${prover} ` +
          `takes the other one; whichever they are, they join ${prover}'s edges. ` +
          `Pairs: ${node[4].map((pair) => pair.join(' ')).join(', ')}.`];
      case 'card-one': {
        const there = place.cells[cellOf.get(node[4])] === stones[proverOf(place.claim)];
        return [there ? `${Prover} has ${node[4]} already` : `${Prover} plays ${node[4]}`,
          cardText(place, prover, other) +
          (there ? 'So the next card holds as it is.' : 'After the move the next card holds.')];
      }
      case 'card-all':
        if (place.mover === proverOf(place.claim)) {
          return [`${Prover} to move`, cardText(place, prover, other) +
            `It holds whoever moves: so does each card below it, and one of them is enough.`];
        }
        return [`${capital(other)} to move: ` +
          count(choicesOf(place).length, 'free cell', 'free cells'),
        cardText(place, prover, other) + 'Whatever is played, one of the ' +
          `${count(node[4].length, 'card', 'cards')} below this one still holds.`];
      case 'card-link':
        return [`${Prover}'s edges are linked`, cardText(place, prover, other) +
          `A virtual connection joins ${prover}'s edges, whoever moves.`];
      case 'card-fill':
        return [`${Prover} has captured cells`, cardText(place, prover, other) +
          `As good as ${prover}'s, for each stone of ${other}'s there has an answer that leaves it ` +
          `dead: ${node[5].map((cells) => cells.join(' ')).join(', ')}.`];
      case 'search':
        return searchText(place);
      default:
        return linkText(place, prover, other);
    }
  }
  function leftText(place) {
    const [, left, kind] = place.node;
    if (kind === 'search') return rowText(place.row);
    if (left === 0 || left === null) return '';
    const prover = proverOf(place.claim);
    if (isLink(kind)) {
      return `${capital(names[prover])} needs at most ${count(left, 'move', 'moves')} for it.`;
    }
    const plies = pliesOf(kind, left, place.mover, prover);
    return `At most ${count(plies, 'ply', 'plies')} until the game is over.`;
  }

  // ---- numbers of a search -------------------------------------------------------------------

  function numberText(value) {
    if (value === null) return '';
    if (typeof value === 'string') return value === 'inf' ? '∞' : '−∞';
    return Number.isInteger(value) ? value.toLocaleString('en') : String(+value.toPrecision(4));
  }
  const boundsText = (row) => (row[2] === row[3] ? `${row[2]}` : `${row[2]} to ${row[3]}`);
  function rowText(row) {
    const numbers = head.numbers.map((name, i) => [name, numberText(row[4 + i])]);
    const shown = numbers.filter(([, text]) => text !== '').map((pair) => pair.join(' '));
    return [`Here: ${row[1]}, value ${boundsText(row)}`, ...shown].join(', ') + '.';
  }

  // ---- the board -----------------------------------------------------------------------------

  const hexagons = board && board.shape === 'hexagons';
  const CELL = 60, MARGIN = 50, ROW = 52, HALF = 30, TIP = 35, SIDE = 17, STONE = 24;
  function drawn(name, attributes, ...children) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }
  function middleOf(cell) {
    const row = Math.floor(cell / board.columns.length);
    const column = cell % board.columns.length;
    if (!hexagons) return [MARGIN + HALF + column * CELL, MARGIN + HALF + row * CELL];
    return [MARGIN + HALF + column * CELL + row * HALF, MARGIN + TIP + row * ROW];
  }
  const points = (list) => list.map((p) => p.join(',')).join(' ');
  const circle = ([cx, cy], r, kind) => drawn('circle', { cx, cy, r, class: kind });

  function cellShape(cell, kind) {
    const [x, y] = middleOf(cell);
    if (!hexagons) {
      return drawn('rect', { x: x - HALF, y: y - HALF, width: CELL, height: CELL, class: kind });
    }
    return drawn('polygon', { class: kind, points: points([[x, y - TIP], [x + HALF, y - SIDE],
      [x + HALF, y + SIDE], [x, y + TIP], [x - HALF, y + SIDE], [x - HALF, y - SIDE]]) });
  }
  function edges() {
    const columns = board.columns.length, rows = board.rows.length;
    const lines = [];
    for (const end of [-1, 1]) {
      const across = [], down = [];
      for (let column = 0; column < columns; ++column) {
        const [x, y] = middleOf((end > 0 ? rows - 1 : 0) * columns + column);
        across.push([x - HALF, y + end * SIDE], [x, y + end * TIP]);
        if (column === columns - 1) across.push([x + HALF, y + end * SIDE]);
      }
      for (let row = 0; row < rows; ++row) {
        const [x, y] = middleOf(row * columns + (end > 0 ? columns - 1 : 0));
        down.push([x + end * HALF, y - SIDE], [x + end * HALF, y + SIDE]);
      }
      lines.push(drawn('polyline', { points: points(across), class: 'edge first' }),
        drawn('polyline', { points: points(down), class: 'edge second' }));
    }
    return lines;
  }
  function grid() {
    const last = middleOf(cellNames.length - 1), first = middleOf(0);
    const lines = board.rows.map((_, row) => {
      const y = middleOf(row * board.columns.length)[1];
      return [[first[0], y], [last[0], y]];
    }).concat(board.columns.map((_, column) => {
      const x = middleOf(column)[0];
      return [[x, first[1]], [x, last[1]]];
    }));
    return lines.map((line) => drawn('polyline', { points: points(line), class: 'grid' }));
  }
  function labels() {
    const label = (x, y, text, anchor) => (
      drawn('text', { x, y: y + 7, 'text-anchor': anchor }, text));
    const top = MARGIN / 2 - 2;
    return [...board.columns.map((name, i) => label(middleOf(i)[0], top, name, 'middle')),
      ...board.rows.map((name, i) => {
        const [x, y] = middleOf(i * board.columns.length);
        return label(x - HALF - 15, y, name, 'end');
      })];
  }
  // What a card or link says of the cells, and what is assumed.
  function marksOf(place) {
    const kind = kindOf(place);
    const marks = { zone: [], needed: [], pairs: [], ghosts: place.ghosts, threats: [], turn: [],
      places: [] };
    if (isRace(kind)) {
      [...place.node[3]].forEach((letter, cell) => {
        if (letter >= '0' && letter <= '4') marks.places.push([cell, letter]);
        if (letter >= '0' && letter <= '2') marks.zone.push(cell);
      });
      marks.turn = place.node[4];
      if (kind === 'race-turn') marks.threats = threatsOf(place);
      return marks;
    }
    if (!isCard(kind) && !isLink(kind)) return marks;
    [...place.node[3]].forEach((letter, cell) => {
      if (letter !== '.') marks.zone.push(cell);
      if (letter === 'B' || letter === 'W') marks.needed.push(cell);
    });
    if (kind === 'card-pairs') marks.pairs = place.node[4];
    return marks;
  }
  function boardText(place) {
    const of = (player) => cellNames.filter((_, cell) => place.cells[cell] === stones[player]);
    const list = (player) => `${names[player]}: ${of(player).join(' ') || 'none'}`;
    const last = place.last ? ` Last move: ${place.last}.` : '';
    return `Board of ${board.rows.length} rows and ${board.columns.length} columns. ` +
      `${list(0)}. ${list(1)}.${last}`;
  }
  function draw(place, choices) {
    if (!board) {
      const text = document.createElement('p');
      text.className = 'path';
      text.textContent = `Position: ${place.text === '-' || !place.text ? 'the root' : place.text}`;
      return text;
    }
    const [width, height] = middleOf(cellNames.length - 1).map((x) => x + TIP + MARGIN / 2);
    const svg = drawn('svg', { role: 'img', viewBox: `0 0 ${width} ${height}`,
      'aria-label': boardText(place) });
    const cells = [...cellNames.keys()];
    svg.append(drawn('rect', { width, height, rx: 12, class: 'plate' }));
    svg.append(...cells.map((cell) => cellShape(cell, `cell ${board.shape}`)));
    if (board.shape === 'lines') svg.append(...grid());
    const marks = marksOf(place);
    svg.append(...marks.zone.map((cell) => cellShape(cell, 'zone')));
    if (hexagons) svg.append(...edges());
    svg.append(...labels());
    for (const pair of marks.pairs) {
      svg.append(drawn('polyline', { class: 'pair',
        points: points(pair.map((name) => middleOf(cellOf.get(name)))) }));
      svg.append(...pair.map((name) => circle(middleOf(cellOf.get(name)), 9, 'pair end')));
    }
    for (const { window } of marks.threats) {
      svg.append(drawn('polyline', { class: 'threat',
        points: points([middleOf(window[0]), middleOf(window.at(-1))]) }));
    }
    for (const [cell, place] of marks.places) {
      const [x, y] = middleOf(cell);
      svg.append(drawn('text', { x: x + HALF - 4, y: y + HALF - 4, 'text-anchor': 'end',
        class: 'place' }, place));
    }
    for (const cell of cells) {
      const stone = place.cells[cell];
      if (stone !== '.') {
        svg.append(circle(middleOf(cell), STONE, stone === 'X' ? 'stone first' : 'stone second'));
      }
    }
    for (const name of marks.ghosts) {
      const cell = cellOf.get(name);
      if (place.cells[cell] === '.') svg.append(circle(middleOf(cell), STONE - 4, 'ghost'));
    }
    const player = isRace(kindOf(place)) ? proverOf(place.claim) : 0;
    for (const name of marks.turn) {
      svg.append(circle(middleOf(cellOf.get(name)), STONE,
        `stone turn ${player === 0 ? 'first' : 'second'}`));
    }
    svg.append(...marks.needed.map((cell) => circle(middleOf(cell), STONE - 5, 'needed')));
    if (cellOf.has(place.last)) svg.append(circle(middleOf(cellOf.get(place.last)), 9, 'last'));
    for (const choice of choices) {
      if (!cellOf.has(choice.move) || !isHere(choice.to[0])) continue;
      const middle = middleOf(cellOf.get(choice.move));
      const target = drawn('g', { class: 'choice', 'data-key': choice.key },
        circle(middle, STONE, 'target'), circle(middle, choices.length === 1 ? 12 : 5, 'dot'));
      svg.append(target);
    }
    return svg;
  }

  // ---- the page ------------------------------------------------------------------------------

  let shown = null;  // the place
  let asked = 0;     // how often another place was asked for

  function cellIn(row, content, name = 'td') {
    const cell = document.createElement(name);
    cell.append(content);
    row.append(cell);
    return cell;
  }
  // `answers`: there is a column for what the prover plays then.
  function choiceRow(place, choice, answers) {
    const row = document.createElement('tr');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = choice.label;
    button.dataset.key = choice.key;
    button.disabled = !isHere(choice.to[0]);
    cellIn(row, button);
    if (searched) {
      cellIn(row, choice.row[1]);
      cellIn(row, boundsText(choice.row));
      head.numbers.forEach((_, i) => cellIn(row, numberText(choice.row[4 + i])));
      return row;
    }
    const [line, left, kind, answer] = choice.to;
    const link = isLink(kind);
    const there = stones[proverOf(place.claim)] === choice.position.cells?.[cellOf.get(answer)];
    if (answers) cellIn(row, !answer || there ? '' : answer);
    cellIn(row, String((link ? left :
      pliesOf(kind, left, choice.position.mover, proverOf(place.claim))) ?? ''));
    cellIn(row, String(line));
    return row;
  }
  function showChoices(place, choices) {
    element('choices').hidden = choices.length === 0;
    const link = choices.length > 0 && !searched && isLink(choices[0].to[2]);
    const answers = !searched && !link && choices.some((choice) => choice.to[3]);
    const columns = searched ? ['move', 'verdict', 'value', ...head.numbers] :
      [link ? 'link' : 'move', ...(answers ? ['answer'] : []), link ? 'moves left' : 'plies left',
        'line of the file'];
    const row = element('columns');
    row.replaceChildren();
    columns.forEach((name) => { cellIn(row, name, 'th').scope = 'col'; });
    element('rows').replaceChildren(...choices.map((choice) => (
      choiceRow(place, choice, answers))));
    const missing = choices.filter((choice) => !isHere(choice.to[0])).length;
    const said = [];
    if (searched && isUnread(place.node)) {
      said.push(`${choices.length > 0 ? 'Other moves were' : 'What follows was'} not read: of a ` +
        `search only the ${head.read.toLocaleString('en')} nodes nearest to the start are.`);
    }
    if (missing > 0) {
      said.push(`${count(missing, 'move leads', 'moves lead')} deeper than this page. To see ` +
        `more: playproof view ${head.file} --serve`);
    }
    element('after').textContent = said.join(' ');
  }
  function showTrail(place) {
    const keys = keysOf(place);
    const crumbs = [{ label: 'start' }, ...place.trail].map(({ label }, i) => {
      const item = document.createElement('li');
      const link = document.createElement('a');
      link.textContent = label;
      link.href = addressOf(place.claim, keys.slice(0, i));
      if (i === keys.length) link.setAttribute('aria-current', 'step');
      item.append(link);
      return item;
    });
    element('crumbs').replaceChildren(...crumbs);
  }
  function showClaims(place) {
    element('title').textContent = searched ? `${head.game}: ${head.verdict}` :
      claimText(claims[place.claim]);
    const buttons = [...element('claims').children];
    buttons.forEach((button, i) => button.setAttribute('aria-pressed', String(i === place.claim)));
  }
  const LEGEND = [
    ['zone', 'shaded: the zone'], ['needed', 'ringed: stones that are needed'],
    ['turn', 'pale: the winning turn'], ['threats', 'lines: threats after it'],
    ['pairs', 'joined by a line: pairs'], ['ghosts', 'dashed: a stone that a link puts there']];
  function legendOf(place) {
    const marks = marksOf(place);
    const parts = LEGEND.filter(([name]) => marks[name].length > 0).map(([, text]) => text);
    if (cellOf.has(place.last)) parts.unshift('small ring: the last move');
    return parts.length > 0 ? capital(parts.join('; ')) + '.' : '';
  }
  function show(place, first) {
    shown = place;
    const choices = choicesOf(place);
    const [turn, words] = textOf(place);
    element('turn').textContent = turn;
    element('words').textContent = words;
    element('left').textContent = leftText(place);
    element('legend').textContent = board ? legendOf(place) : '';
    element('picture').replaceChildren(draw(place, choices));
    showClaims(place);
    showTrail(place);
    showChoices(place, choices);
    const after = place.trail.length > 0 ? `After ${place.trail.at(-1).label}: ` : '';
    element('said').textContent = `${after}${turn}. ${leftText(place)}`;
    if (first) return;
    const button = element('rows').querySelector('button:not([disabled])');
    (button ?? element('turn')).focus({ preventScroll: true });
  }
  async function follow(first = false) {
    const turn = ++asked;
    try {
      const place = await placeOf(location.hash);
      if (turn === asked) show(place, first);
    } catch (error) {
      if (turn === asked) element('after').textContent = `This cannot be shown: ${error.message}.`;
    }
  }
  function choose(key) {
    location.hash = addressOf(shown.claim, [...keysOf(shown), key]);
  }
  function back(keys) {
    location.hash = addressOf(shown.claim, keys);
  }

  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !shown) return;
    const buttons = [...element('rows').querySelectorAll('button:not([disabled])')];
    const at = buttons.indexOf(document.activeElement);
    const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
    if (event.key in steps && buttons.length > 0) {
      const next = at < 0 ? (steps[event.key] > 0 ? 0 : -1) : at + steps[event.key];
      buttons.at(next % buttons.length).focus();
    } else if (event.key === 'Enter' && !document.activeElement.closest('button, a')) {
      if (buttons.length === 0) return;
      choose(buttons[0].dataset.key);
    } else if (event.key === 'Backspace') {
      back(keysOf(shown).slice(0, -1));
    } else if (event.key === 'Home') {
      back([]);
    } else {
      return;
    }
    event.preventDefault();
  }
  function onClick(event) {
    const target = event.target.closest('[data-key]');
    if (target) choose(target.getAttribute('data-key'));
  }

  function showFacts() {
    const position = head.position === '' ? 'the initial position' : `position ${head.position}`;
    element('claim').textContent = `${head.game}, ${position}, goal ${head.goal}`;
    document.title = `${head.game}: ${head.verdict} - playproof`;
    const bytes = searched ? '' : count(head.bytes, 'byte', 'bytes');
    element('checked').textContent = searched ?
      `${head.file}: a search as it was saved, not a proof. ` +
      'The checker has not looked at it.' + (['value', 'score'].includes(head.goal) ?
        ' Of its claims the one that was under way then is shown.' : '') :
      `Checked: the run that made this page had ${head.file} accepted by the checker before. ` +
      `${bytes}, SHA-256 ${head.sha256}.`;
    const holds = `This page holds ${head.shown.toLocaleString('en')}`;
    const of = searched ? ' nodes of the search' :
      ` of the ${count(head.listed, 'node', 'nodes')} of the certificate`;
    const far = `${count(head.whole_depth, 'step', 'steps')} from the start`;
    const rest = head.served ? '; the program sends the others when they are asked for' : '';
    element('part').textContent = head.all ? `${holds}${of}: all that the start leads to.` :
      `${holds}${of}, among them all that are up to ${far}${rest}.`;
    element('facts').textContent = searched ?
      `${head.algorithm}, seed ${head.seed}: ` +
      `${count(head.iterations, 'iteration', 'iterations')}, ` +
      `${count(head.nodes_created, 'node', 'nodes')} created. playproof ${head.version}.` :
      `Verdict ${head.verdict}${head.best_move ? `, best move ${head.best_move}` : ''}. ` +
      `The checker read ${count(head.listed, 'node', 'nodes')}: ` +
      `${count(head.finished, 'finished position', 'finished positions')}, ` +
      `${head.rechecked.toLocaleString('en')} searched by itself. playproof ${head.version}.`;
    if (claims.length < 2) return;
    element('claims').hidden = false;
    element('claims').append(...claims.map((claim, i) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = claimText(claim);
      button.addEventListener('click', () => { location.hash = addressOf(i, []); });
      return button;
    }));
  }

  showFacts();
  document.addEventListener('keydown', onKey);
  element('picture').addEventListener('click', onClick);
  element('rows').addEventListener('click', onClick);
  window.addEventListener('hashchange', () => follow());
  follow(true);
})();
