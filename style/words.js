// The editor's own few words in the language of the page. What the pages say is in the message catalogue
// (app/src/words.rs), which this script, loaded by itself, does not have.
const WORDS = {
  de: {
    mapping: 'Zuordnung',
    list: 'Liste',
    text: 'Text',
    'whole number': 'ganze Zahl',
    number: 'Zahl',
    'true or false': 'true oder false',
    choice: 'Auswahl',
    'one of several': 'eines von mehreren',
    required: 'erforderlich',
    deprecated: 'veraltet',
    default: 'Standard',
    'or null': 'oder null',
    'At least {n}': 'Mindestens {n}',
    'More than {n}': 'Mehr als {n}',
    'At most {n}': 'Höchstens {n}',
    'Less than {n}': 'Weniger als {n}',
    'Matches {n}': 'Passt zu {n}',
    'One of {n}': 'Eines von {n}',
    'Default: {n}': 'Standard: {n}',
    'The chart advises against it.': 'Das Chart rät davon ab.',
    // CodeMirror's, by its own English ones.
    Find: 'Suchen',
    Replace: 'Ersetzen',
    next: 'weiter',
    previous: 'zurück',
    all: 'alle',
    'match case': 'Groß-/Kleinschreibung',
    regexp: 'regulärer Ausdruck',
    'by word': 'ganze Wörter',
    replace: 'ersetzen',
    'replace all': 'alle ersetzen',
    close: 'schließen',
    'current match': 'aktueller Treffer',
    'on line': 'in Zeile',
    'replaced match on line $': 'Treffer in Zeile $ ersetzt',
    'replaced $ matches': '$ Treffer ersetzt',
    'Go to line': 'Gehe zu Zeile',
    go: 'los',
    'Fold line': 'Zeile einklappen',
    'Unfold line': 'Zeile ausklappen',
    'folded code': 'eingeklappter Text',
    unfold: 'ausklappen',
    'Folded lines': 'Eingeklappte Zeilen',
    'Unfolded lines': 'Ausgeklappte Zeilen',
    to: 'bis',
    Completions: 'Vorschläge',
    'Control character': 'Steuerzeichen',
    Diagnostics: 'Meldungen',
    'No diagnostics': 'Keine Meldungen',
  },
};

/** The words of the page's language by the English ones. */
export const words = () => WORDS[globalThis.document?.documentElement.lang] ?? {};

/** A text in the language of the page, with `n` in its place. */
export const say = (english, n = '') => (words()[english] ?? english).replace('{n}', () => n);
