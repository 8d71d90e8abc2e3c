// The parts that the form of values is made of: PatternFly's markup, as app/src/ui has it for the rest of the page.

/** An element with its attributes and children; texts are texts, whatever is in them. */
export function element(tag, attributes = {}, children = []) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'value' || name === 'checked' || name === 'readOnly' || name === 'disabled') made[name] = value;
    else made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** An icon of the page's sprite. */
export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('class', 'pf-v6-svg');
  svg.setAttribute('viewBox', '0 0 32 32');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(space, 'use');
  use.setAttribute('href', `#i-${name}`);
  svg.append(use);
  return svg;
}

/** A button with words on it. */
export function wordButton(words, act, label) {
  const button = element('button', { type: 'button', class: 'pf-v6-c-button pf-m-link pf-m-inline', 'aria-label': label }, [element('span', { class: 'pf-v6-c-button__text' }, [words])]);
  button.addEventListener('click', act);
  return button;
}

/** A button with an icon on it. */
export function iconButton(name, label, act, disabled = false) {
  const button = element('button', { type: 'button', class: 'pf-v6-c-button pf-m-plain pf-m-small', 'aria-label': label, title: label, disabled }, [element('span', { class: 'pf-v6-c-button__icon' }, [icon(name)])]);
  button.addEventListener('click', act);
  return button;
}

/** A grey label of one or two words. */
export const label = (words) =>
  element('span', { class: 'pf-v6-c-label pf-m-filled pf-m-compact' }, [element('span', { class: 'pf-v6-c-label__content' }, [element('span', { class: 'pf-v6-c-label__text' }, [words])])]);

/** Lines below a field: what it is, and what is wrong with it. `show` takes the latter. */
export function helper(id, about) {
  const list = element('div', { class: 'pf-v6-c-helper-text' });
  const below = element('div', { class: 'pf-v6-c-form__helper-text', id, 'aria-live': 'polite' }, [list]);
  const line = (text, isError) =>
    element('div', { class: isError ? 'pf-v6-c-helper-text__item pf-m-error' : 'pf-v6-c-helper-text__item' }, [
      isError && element('span', { class: 'pf-v6-c-helper-text__item-icon' }, [icon('danger')]),
      element('span', { class: 'pf-v6-c-helper-text__item-text wrap' }, [text]),
    ]);
  const show = (errors) => {
    const lines = [...errors.map((text) => line(text, true)), ...about.map((text) => line(text, false))];
    list.replaceChildren(...lines);
    below.hidden = lines.length === 0;
  };
  show([]);
  return { below, show };
}

/** A group of fields that folds; its fields are made when it is first opened. */
export function group({ form, id, title, description, actions, body, isOpen, onToggle, required }) {
  const toggle = element('button', { type: 'button', class: 'pf-v6-c-button pf-m-plain', id: `${id}-toggle`, 'aria-expanded': 'false', 'aria-labelledby': `${id}-title` }, [
    element('span', { class: 'pf-v6-c-form__field-group-toggle-icon' }, [icon('caret')]),
  ]);
  const name = element('div', { class: 'pf-v6-c-form__field-group-header-title-text', id: `${id}-title` }, [title, required && element('span', { class: 'pf-v6-c-form__label-required', 'aria-hidden': 'true' }, [' *'])]);
  const sign = element('span', { class: 'values-count', hidden: true });
  const about = element('div', { class: 'pf-v6-c-form__field-group-header-description' });
  const inside = element('div', { class: 'pf-v6-c-form__field-group-body', hidden: true });
  const whole = element('div', { class: 'pf-v6-c-form__field-group', role: 'group', 'aria-labelledby': `${id}-title` }, [
    element('div', { class: 'pf-v6-c-form__field-group-toggle' }, [element('div', { class: 'pf-v6-c-form__field-group-toggle-button' }, [toggle])]),
    element('div', { class: 'pf-v6-c-form__field-group-header' }, [
      element('div', { class: 'pf-v6-c-form__field-group-header-main' }, [element('div', { class: 'pf-v6-c-form__field-group-header-title' }, [name, sign]), about]),
      actions?.length > 0 && element('div', { class: 'pf-v6-c-form__field-group-header-actions' }, actions),
    ]),
    inside,
  ]);
  const fill = () => inside.replaceChildren(...body());
  const turn = (open) => {
    whole.classList.toggle('pf-m-expanded', open);
    toggle.setAttribute('aria-expanded', String(open));
    inside.hidden = !open;
    if (open && inside.childElementCount === 0) fill();
  };
  const press = () => {
    const open = toggle.getAttribute('aria-expanded') !== 'true';
    turn(open);
    onToggle(open);
  };
  toggle.addEventListener('click', press);
  name.addEventListener('click', press);
  const lines = helper(`${id}-about`, description);
  about.append(lines.below);
  turn(isOpen);
  whole.refill = () => {
    if (inside.childElementCount > 0 || !inside.hidden) fill();
  };
  whole.unfold = () => toggle.getAttribute('aria-expanded') === 'true' || press();
  whole.showProblems = lines.show;
  whole.showCount = (found) => {
    sign.hidden = found === 0;
    const words = found === 1 ? form.say('1 problem inside') : form.say('{n} problems inside', { n: found });
    sign.replaceChildren(...(found === 0 ? [] : [icon('danger'), ` ${words}`]));
  };
  return whole;
}
