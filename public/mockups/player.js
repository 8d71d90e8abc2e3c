// Plays a recording to the product's own pages: answers what they ask as the server answered then, keeps their clock at the
// recording's time, and does again what the user did. Comes before the program (screen.html). In the address's query:
//   recording  its name                  at     where to begin, in milliseconds
//   play       go on from there          theme  light or dark
//   screen     the name of a screen, whose address, time, steps and scripted faults are in screens.json
(() => {
  'use strict';
  const asked = new URLSearchParams(location.search);
  /** A question about the newest state is held for so long at most, as the server does. */
  const HELD_MS = 25_000;
  /** What the pages ask with the state that they know. */
  const FOLLOWED = ['releases', 'release', 'activity'];
  /** What changes something: not the same text twice, for it carries a key. */
  const WRITES = ['submit', 'again', 'cancel', 'add_repository', 'change_repository', 'remove_repository', 'test_repository'];

  // What a reviewer's browser keeps of the product itself stays as it is.
  const kept = new Map(asked.get('theme') ? [['slipway.theme', asked.get('theme')]] : []);
  const storage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, String(value)),
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
    key: (index) => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size;
    },
  };
  for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { value: storage });

  // A browser that is closed shows nothing.
  const sheet = document.createElement('style');
  sheet.textContent = `html.recording-closed body { display: none }
html.recording-closed::before { content: 'The browser is closed.'; display: grid; place-content: center; block-size: 100vh; font: 1rem sans-serif; color: #6a6e73 }`;
  document.head.append(sheet);

  const realNow = Date.now.bind(Date);
  let recording;
  let screen = {};
  let position = Number(asked.get('at') ?? 0);
  let playing = false;
  /** When the position was `position`, by the real clock, while it plays. */
  let since = realNow();
  let speed = 1;
  let timer;
  let settled = false;
  const waiting = new Set();

  const now = () => Math.min(recording?.length ?? Infinity, playing ? position + (realNow() - since) * speed : position);
  Date.now = () => (recording ? Math.round(recording.began + now()) : realNow());

  async function json(address) {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    const content = await response.arrayBuffer();
    // Some servers unpack a file for the browser, some do not.
    const [first, second] = new Uint8Array(content, 0, 2);
    if (first !== 0x1f || second !== 0x8b) return JSON.parse(new TextDecoder().decode(content));
    return new Response(new Blob([content]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
  }

  const ready = (async () => {
    if (asked.get('screen')) {
      const { screens } = await json('screens.json');
      screen = screens.find(({ id }) => id === asked.get('screen')) ?? {};
    }
    recording = await json(`recordings/${asked.get('recording') ?? screen.recording}.json.gz`);
    if (screen.id && !asked.has('at')) position = screen.from ? momentOf(screen.from) : moment();
  })();

  /** The moment of the screen. */
  const moment = () => (screen.at ? momentOf(screen.at) : recording.length);
  /** `[n, plus]` is so many milliseconds after the n-th note of the recording: the same moment of each run of a flow. */
  function momentOf([number, plus]) {
    const notes = recording.steps.filter(({ note }) => note !== undefined);
    return number > notes.length ? recording.length : (notes[number - 1]?.at ?? 0) + plus;
  }

  /** Ends when the time has come, or when it is another one after a jump. */
  const until = (at) =>
    new Promise((resolve) => {
      const one = { at, resolve };
      waiting.add(one);
      wake();
    });
  function wake() {
    clearTimeout(timer);
    const here = now();
    for (const one of waiting) {
      if (one.at > here) continue;
      waiting.delete(one);
      one.resolve();
    }
    const next = Math.min(...[...waiting].map(({ at }) => at), nextStep());
    if (playing && next < Infinity) timer = setTimeout(tick, Math.max(0, (next - now()) / speed));
    if (playing && now() >= recording.length) pause();
  }

  // What the user did.
  let done = 0;
  const nextStep = () => recording?.steps[done]?.at ?? Infinity;
  function tick() {
    while (nextStep() <= now()) take(recording.steps[done++]);
    wake();
  }
  /** Ends when it is done. */
  async function take(step) {
    if (step.address !== undefined && playing) go(step.address);
    if (step.fill) await onElement(step.fill, (element) => type(element, step.value));
    if (step.click) await onElement(step.click, (element) => element.click());
    if (step.press) await onElement('button, a, summary, [role=menuitem], [role=tab], [role=radio]', (element) => element.click(), step.press);
    if (step.key) await onElement('h1', () => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...step.key })));
    if (step.closed !== undefined) document.documentElement.classList.toggle('recording-closed', step.closed);
  }
  const prefix = () => `/c/${encodeURIComponent(recording.cluster)}`;
  function go(address) {
    const to = `#${prefix()}${address}`;
    if (location.hash === to) return;
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }
  /** Does it as soon as the element is there. */
  function onElement(selector, act, named) {
    const isNamed = (one) => named === undefined || one.textContent.trim() === named || one.getAttribute('aria-label') === named;
    const find = () => [...document.querySelectorAll(selector)].find((one) => isNamed(one) && one.checkVisibility() && !one.disabled);
    return new Promise((resolve) => {
      const look = () => {
        const element = find();
        if (!element) return false;
        act(element);
        resolve();
        return true;
      };
      if (look()) return;
      const observer = new MutationObserver(() => look() && observer.disconnect());
      observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    });
  }
  /** One after another, each when the page has shown what came of the one before. */
  async function inTurn(steps) {
    if (screen.from) {
      // It was there before, and knows what it knew then.
      await onElement('[data-testid=now]', () => setTimeout(() => jump(moment())));
    }
    for (const step of steps) {
      await take(step);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
    settled = true;
  }
  function type(element, value) {
    const prototype = element instanceof HTMLTextAreaElement ? HTMLTextAreaElement : element instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(prototype.prototype, 'value').set.call(element, value);
    for (const event of ['input', 'change', 'blur']) element.dispatchEvent(new Event(event, { bubbles: true }));
  }

  const isAway = () => recording.steps.findLast((step) => step.away !== undefined && step.at <= now())?.away ?? false;
  const refusal = (status, body) => new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  const said = ([, status, body]) => {
    const answer = structuredClone(recording.bodies[body]);
    if (answer && typeof answer === 'object' && 'now' in answer) answer.now = Date.now();
    return { status, answer };
  };
  const respond = ({ status, answer }) => refusal(status, answer);

  /** The answer to a question of the page's. */
  async function answer(address, body) {
    await ready;
    const call = address.slice(address.lastIndexOf('/') + 1);
    // What cannot be had from a cluster in time is scripted, and the screen's note says so.
    const fault = screen.faults?.[call] ?? screen.faults?.['*'];
    if (fault === 'held') return new Promise(() => {});
    if (fault === 'away' || isAway()) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw new TypeError('The recording has no server at this time.');
    }
    if (fault?.body) return refusal(fault.status ?? 200, withTime(fault.body));
    if (WRITES.includes(call)) return written(call);
    const question = JSON.parse(body);
    const { since } = question;
    if (FOLLOWED.includes(call)) delete question.since;
    const all = recording.answers[`${call} ${JSON.stringify(question)}`];
    if (!all) {
      // What comes after the end of a log is only there when the log went on.
      if (since !== undefined && since !== null) return new Promise(() => {});
      return refusal(503, { code: 'unavailable', message: 'This is not in the recording.' });
    }
    const current = () => all.findLast(([at]) => at <= now()) ?? all[0];
    if (since && !FOLLOWED.includes(call) && all[0][0] > now()) await until(all[0][0]);
    let found = said(current());
    if (FOLLOWED.includes(call) && since && found.answer?.version === since) {
      if (call === 'activity') return respond({ ...found, answer: { ...found.answer, doings: null } });
      const next = all.find(([at]) => at > now())?.[0] ?? Infinity;
      await Promise.race([until(next), new Promise((resolve) => setTimeout(resolve, HELD_MS))]);
      found = said(current());
    }
    if (fault?.patch) Object.assign(found.answer, withTime(fault.patch));
    return respond(found);
  }

  /** Times in scripted answers are told from the recording's: `{"now": -5000}` is five seconds ago. */
  function withTime(value) {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(withTime);
    const entries = Object.entries(value);
    if (entries.length === 1 && entries[0][0] === 'now' && typeof entries[0][1] === 'number') return Date.now() + entries[0][1];
    return Object.fromEntries(entries.map(([key, one]) => [key, withTime(one)]));
  }

  /** What was answered to the next change of its kind; who presses the button goes on from there. */
  async function written(call) {
    const all = Object.entries(recording.answers).filter(([question]) => question.startsWith(`${call} `));
    const next = all.flatMap(([, answers]) => answers).sort(([a], [b]) => a - b).find(([at]) => at >= now() - 1000);
    if (!next || screen.id) return refusal(409, { code: 'conflict', message: 'This is a mock-up: nothing is carried out.', operation: null });
    if (!playing) {
      position = next[0];
      done = recording.steps.findIndex(({ at }) => at > position);
      if (done < 0) done = recording.steps.length;
      play();
    }
    await until(next[0]);
    return respond(said(next));
  }

  function play(by = 1) {
    speed = by;
    if (now() >= recording.length) seek(0);
    since = realNow();
    playing = true;
    tick();
    tell();
  }
  function pause() {
    position = now();
    playing = false;
    clearTimeout(timer);
    tell();
  }
  /** Goes to a time: to the page that was there then, with what had been done on it. */
  function seek(to) {
    position = Math.max(0, Math.min(to, recording.length));
    since = realNow();
    const before = recording.steps.filter(({ at }) => at <= position);
    done = before.length;
    const from = before.findLastIndex(({ address }) => address !== undefined);
    if (from >= 0) go(before[from].address);
    before.slice(from + 1).filter(({ fill }) => fill).forEach(take);
    take({ closed: before.findLast(({ closed }) => closed !== undefined)?.closed ?? false });
    jump(position);
    if (playing) wake();
    tell();
  }
  /** Another time, on the same page. */
  function jump(to) {
    position = to;
    dispatchEvent(new Event('slipway-jump'));
    for (const one of waiting) one.resolve();
    waiting.clear();
  }
  const tell = () => dispatchEvent(new Event('slipway-player'));

  // What the server streams.
  class Stream extends EventTarget {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSED = 2;
    readyState = 0;
    constructor(address) {
      super();
      this.#run(String(address));
    }
    close() {
      this.readyState = 2;
    }
    async #run(address) {
      await ready;
      const place = address.replace(prefix(), '');
      const all = recording.streams[place];
      if (!all) {
        this.readyState = 2;
        this.dispatchEvent(new Event('error'));
        return;
      }
      for (const [at, event, data] of all) {
        if (at > now()) await until(at);
        if (this.readyState === 2) return;
        this.readyState = 1;
        this.dispatchEvent(event === 'open' ? new Event(event) : new MessageEvent(event, { data }));
      }
    }
  }
  window.EventSource = Stream;

  window.slipwayPlayer = {
    answer,
    ready,
    play,
    pause,
    seek,
    get position() {
      return now();
    },
    get playing() {
      return playing;
    },
    /** Whether a screen's steps are done. */
    get settled() {
      return settled;
    },
    get recording() {
      return recording;
    },
  };

  // Where it begins: the address is needed before the program starts, and the program is told to wait for it.
  window.slipwayBegin = ready.then(() => {
    const first = screen.address ?? recording.steps.findLast(({ at, address }) => address !== undefined && at <= position)?.address ?? recording.steps.find(({ address }) => address !== undefined)?.address;
    if (first !== undefined && !location.hash) history.replaceState(null, '', `#${prefix()}${first}`);
    done = recording.steps.filter(({ at }) => at <= position).length;
    inTurn(screen.steps ?? []);
    if (!screen.id) {
      const from = recording.steps.slice(0, done).findLastIndex(({ address }) => address !== undefined);
      recording.steps.slice(from + 1, done).filter(({ fill }) => fill).forEach(take);
    }
    if (asked.has('play')) play();
    tell();
  });
})();
