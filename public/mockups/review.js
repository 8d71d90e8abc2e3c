// The frame around the mock-ups: lists them, shows each in the looks that one asks for, plays the flows, and keeps what a
// reviewer says of them in the browser. The screens themselves are the product (screen.html).
const main = document.getElementById('main');
const { pages, screens, flows } = await (await fetch('screens.json')).json();

const WIDTHS = { wide: [1440, 900], phone: [390, 844] };
const store = {
  get: (key, otherwise) => localStorage.getItem(`slipway.review.${key}`) ?? otherwise,
  set: (key, value) => localStorage.setItem(`slipway.review.${key}`, value),
};

/** Makes an element; texts are texts. */
function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== false));
  return element;
}
const link = (href, text, more = {}) => el('a', { href, ...more }, text);
const title = (text) => {
  document.title = `${text} · Slipway’s mock-ups`;
  return el('h1', { tabindex: '-1' }, text);
};
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

// What can be looked at.

function list(of, kind) {
  return el('ul', { class: 'list' }, of.map(({ id, number, title }) => el('li', {}, el('span', { class: 'number' }, number), link(`#/${kind}/${id}`, title))));
}

function home() {
  return [
    title('Screens and flows'),
    el('p', { class: 'note' }, 'These are Slipway’s own pages. What they show was recorded from runs on a real cluster with real Helm; nothing is drawn for this review. Where a state was scripted because no cluster shows it in time, its note says so. Move about in them: what was recorded can be opened, and nothing is changed anywhere.'),
    el('h2', {}, 'Flows'),
    list(flows, 'flow'),
    el('h2', {}, 'Screens'),
    ...byPage(),
  ];
}
const byPage = () => pages.flatMap(({ id, title }) => [el('h2', {}, title), list(screens.filter(({ page }) => page === id), 'screen')]);

// One screen.

const looks = () => {
  const [widths, themes] = [store.get('widths', 'both'), store.get('themes', 'light')];
  const chosen = (value, all) => (value === 'both' ? all : [value]);
  return chosen(themes, ['light', 'dark']).flatMap((theme) => chosen(widths, ['wide', 'phone']).map((width) => ({ theme, width })));
};

function choice(name, label, options, otherwise) {
  const now = store.get(name, otherwise);
  return el('fieldset', {}, el('legend', {}, label), options.map(([value, text]) =>
    el('label', {}, el('input', { type: 'radio', name, value, checked: value === now, onchange: () => { store.set(name, value); show(); } }), ` ${text}`)));
}
const choices = () => [
  choice('widths', 'Width', [['wide', 'Wide'], ['phone', 'Phone'], ['both', 'Both']], 'both'),
  choice('themes', 'Theme', [['light', 'Light'], ['dark', 'Dark'], ['both', 'Both']], 'light'),
];

/** The product in a frame, as small as it has to be. */
function frame(query, { theme, width }, name, room) {
  const [w, h] = WIDTHS[width];
  const scale = Math.min(1, room / w);
  const src = `screen.html?${new URLSearchParams({ ...query, theme })}`;
  const shown = el('iframe', { src, title: `${name}, ${width}, ${theme}`, width: w, height: h, style: `inline-size:${w}px;block-size:${h}px;transform:scale(${scale})` });
  const glass = el('div', { class: 'glass', style: `inline-size:${Math.floor(w * scale)}px;block-size:${Math.floor(h * scale)}px` }, shown);
  return el('figure', { class: 'frame' }, el('figcaption', {}, `${width === 'wide' ? '1440' : '390'} px, ${theme} · `, link(src, 'by itself', { target: '_blank' })), glass);
}

function screenPage(id) {
  const at = screens.findIndex((screen) => screen.id === id);
  if (at < 0) return missing();
  const screen = screens[at];
  const room = Math.max(320, main.clientWidth - 48);
  const phones = looks().filter(({ width }) => width === 'phone').length;
  const isBeside = room > 1000 && phones > 0 && phones < looks().length;
  return [
    title(`${screen.number} ${screen.title}`),
    el('p', { class: 'note' }, screen.note),
    screen.today && el('p', { class: 'note' }, el('b', {}, 'Today’s console: '), screen.today),
    screen.faults && el('p', { class: 'note scripted' }, 'Scripted: the server’s answer in this state is made by the player, because no cluster gives it in time. The page is the product’s.'),
    el('div', { class: 'bar' }, choices(), el('span', { class: 'push' },
      at > 0 && link(`#/screen/${screens[at - 1].id}`, 'Previous', { class: 'button' }), ' ',
      at + 1 < screens.length && link(`#/screen/${screens[at + 1].id}`, 'Next', { class: 'button' }))),
    el('div', { class: 'frames' }, looks().map((look) => frame({ screen: id }, look, screen.title, isBeside ? (look.width === 'phone' ? 390 : room - 430) : room))),
    comment('screen', id),
  ];
}

// One flow.

function flowPage(id) {
  const flow = flows.find((flow) => flow.id === id);
  if (!flow) return missing();
  const theme = store.get('themes', 'light') === 'dark' ? 'dark' : 'light';
  const width = store.get('widths', 'both') === 'phone' ? 'phone' : 'wide';
  const isSplit = main.clientWidth > 900;
  const room = isSplit ? (main.clientWidth - 64) * 0.74 : main.clientWidth - 32;
  const figure = frame({ recording: flow.recording, at: 0 }, { theme, width }, flow.title, Math.max(320, room));
  const shown = figure.querySelector('iframe');
  const range = el('input', { type: 'range', min: 0, max: 1, value: 0, step: 100, 'aria-label': 'Time in the recording' });
  const time = el('output', {}, '0.0 s');
  const button = el('button', { class: 'primary', type: 'button' }, 'Play');
  const speed = el('select', { 'aria-label': 'Speed' }, [1, 2, 4, 8].map((by) => el('option', { value: by, selected: by === 2 }, `${by}×`)));
  const said = el('p', { class: 'said', 'aria-live': 'polite' });
  const beside = el('div', { class: 'panel', tabindex: '0', role: 'region', 'aria-label': 'Today’s console at this time' });
  const lane = el('div', { class: 'lane', role: 'img', 'aria-label': 'The status of Helm’s record over time' });
  const notes = el('table', { class: 'times' });

  let player;
  const draw = () => {
    const { position, playing, recording } = player;
    range.value = position;
    time.textContent = `${seconds(position)} of ${seconds(recording.length)}`;
    button.textContent = playing ? 'Pause' : 'Play';
    const note = recording.steps.findLast(({ at, note }) => note && at <= position)?.note ?? '';
    if (said.textContent !== note) said.textContent = note;
    for (const row of notes.querySelectorAll('tr')) row.classList.toggle('later', Number(row.dataset.at) > position);
    today(beside, flow, recording, position);
    if (playing && shown.isConnected) requestAnimationFrame(draw);
  };
  shown.addEventListener('load', async () => {
    player = shown.contentWindow.slipwayPlayer;
    await player.ready;
    const { recording } = player;
    range.max = recording.length;
    shown.contentWindow.addEventListener('slipway-player', draw);
    lane.replaceChildren(...spans(recording));
    notes.replaceChildren(...recording.steps.filter(({ note }) => note).map(({ at, note }) =>
      el('tr', { 'data-at': at }, el('td', {}, el('button', { type: 'button', onclick: () => player.seek(at) }, seconds(at))), el('td', {}, note))));
    button.disabled = false;
    shown.dataset.ready = 'true';
    draw();
  });
  button.disabled = true;
  button.addEventListener('click', () => (player.playing ? player.pause() : player.play(Number(speed.value))));
  range.addEventListener('input', () => player?.seek(Number(range.value)));
  speed.addEventListener('change', () => player?.playing && player.play(Number(speed.value)));

  return [
    title(`${flow.number} ${flow.title}`),
    el('p', { class: 'note' }, flow.note),
    el('div', { class: 'bar' }, choices()),
    el('div', { class: 'flow' }, figure, el('div', {}, beside, el('h2', {}, 'What happens when'), notes)),
    el('div', { class: 'panel player' },
      el('div', { class: 'bar' }, button, speed, time), range, lane, said),
    comment('flow', id),
  ];
}

const statusAt = (recording, position) => recording.records.findLast(([at]) => at <= position)?.[1] ?? [];
const newest = (records) => [...records].sort((a, b) => b.revision - a.revision)[0];
const kind = (status) => (status === 'deployed' || status === 'failed' ? status : status?.startsWith('pending') || status === 'uninstalling' ? 'pending' : 'other');

/** The record's status over the time, as bars. */
function spans({ records, length }) {
  return records.flatMap(([at, found], index) => {
    const last = newest(found);
    if (!last) return [];
    const end = records[index + 1]?.[0] ?? length;
    const place = `left:${(at / length) * 100}%;width:${((end - at) / length) * 100}%`;
    return [el('span', { class: kind(last.status), style: place, title: `${last.status}, revision ${last.revision}` })];
  });
}

/** What today's console would say at this time: it shows the record's own status, and the form waits meanwhile. */
function today(panel, flow, recording, position) {
  const last = newest(statusAt(recording, position));
  const notes = recording.steps.filter(({ note, at }) => note !== undefined && at <= position).length;
  const said = (flow.today ?? []).findLast(({ note }) => note <= notes)?.text ?? '';
  const changes = recording.records.filter(([at]) => at <= position).map(([at, found]) => [at, newest(found)]);
  const text = JSON.stringify([said, last, changes.length]);
  if (panel.dataset.text === text) return;
  panel.dataset.text = text;
  panel.replaceChildren(
    el('h2', {}, 'Beside it: today’s console'),
    el('p', {}, said),
    el('p', {}, 'Status in its list: ', el('b', {}, last ? `${last.status}, revision ${last.revision}` : 'no such release')),
    el('p', { class: 'subtle' }, 'Helm’s record, as kubectl shows it:'),
    el('table', { class: 'times' }, changes.map(([at, record]) => el('tr', {}, el('td', {}, seconds(at)), el('td', {}, record ? `v${record.revision} ${record.status}` : 'no record')))),
  );
}

// What a reviewer says.

const all = () => [...flows.map((flow) => ({ ...flow, kind: 'flow' })), ...screens.map((screen) => ({ ...screen, kind: 'screen' }))];

const said = (kind, id) => store.get(`comment.${kind}.${id}`, '').trim();

function comment(kind, id) {
  const area = el('textarea', { id: 'comment', oninput: () => store.set(`comment.${kind}.${id}`, area.value) });
  area.value = said(kind, id);
  return el('section', {}, el('h2', {}, el('label', { for: 'comment' }, 'Your comment')), area, el('p', { class: 'subtle' }, 'Kept in this browser alone. ', link('#/comments', 'All comments as Markdown')));
}

function markdown() {
  const comments = all().map((one) => [one, said(one.kind, one.id)]).filter(([, text]) => text);
  const place = location.href.replace(/#.*/, '');
  return comments.map(([{ id, number, title, kind }, text]) => `## [${number} ${title}](${place}#/${kind}/${id})\n\n${text}\n`).join('\n');
}

function commentsPage() {
  const text = markdown();
  if (!text) return [title('Comments'), el('p', { class: 'note' }, 'There are none yet. Below each screen and each flow there is room for one.')];
  const save = () => {
    const address = URL.createObjectURL(new Blob([`# Comments on Slipway’s mock-ups\n\n${text}`], { type: 'text/markdown' }));
    el('a', { href: address, download: 'comments.md' }).click();
    setTimeout(() => URL.revokeObjectURL(address));
  };
  return [title('Comments'), el('div', { class: 'bar' }, el('button', { type: 'button', class: 'primary', onclick: save }, 'Download'), el('button', { type: 'button', onclick: () => navigator.clipboard.writeText(text) }, 'Copy')), el('pre', { class: 'panel', tabindex: '0' }, text)];
}

function printPage() {
  const sheet = (one) => el('section', { class: 'sheet' },
    el('h2', {}, `${one.number} ${one.title}`), el('p', { class: 'note' }, one.note),
    one.today && typeof one.today === 'string' && el('p', { class: 'note' }, el('b', {}, 'Today’s console: '), one.today),
    el('img', { src: `pictures/${one.id}.webp`, alt: `Screen ${one.number}: ${one.title}`, onerror: (event) => event.target.replaceWith(el('p', { class: 'subtle' }, 'There is no picture of it in this folder.')) }),
    said('screen', one.id) && el('blockquote', {}, said('screen', one.id)));
  return [title('All screens'), ...screens.map(sheet)];
}

const missing = () => [title('There is no such screen'), el('p', {}, link('#/', 'All screens and flows'))];

function show() {
  const [, where = '', id] = decodeURIComponent(location.hash).split('/');
  const drawn = { '': home, screens: () => [title('Screens'), ...byPage()], flows: () => [title('Flows'), list(flows, 'flow')], screen: () => screenPage(id), flow: () => flowPage(id), comments: commentsPage, print: printPage }[where];
  main.replaceChildren(...(drawn ? drawn() : missing()).filter(Boolean));
  for (const one of document.querySelectorAll('.masthead nav a')) {
    const isHere = one.hash.startsWith(`#/${where}`) && where !== '';
    if (isHere) one.setAttribute('aria-current', 'page');
    else one.removeAttribute('aria-current');
  }
}
const theme = matchMedia('(prefers-color-scheme: dark)');
const dress = () => document.documentElement.classList.toggle('pf-v6-theme-dark', theme.matches);
theme.addEventListener('change', dress);
dress();
addEventListener('hashchange', () => {
  show();
  main.querySelector('h1')?.focus();
});
show();
