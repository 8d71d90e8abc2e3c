// Before the first paint: the theme that the user chose (app/src/ui/theme.rs), or the system's.
(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = () => {
    try {
      return localStorage.getItem('slipway.theme');
    } catch {
      return null;
    }
  };
  const paper = matchMedia('print');
  const apply = () => {
    const theme = chosen();
    const dark = !paper.matches && (theme === 'dark' || (theme !== 'light' && system.matches));
    document.documentElement.classList.toggle('pf-v6-theme-dark', dark);
  };
  apply();
  system.addEventListener('change', apply);
  // Paper is white.
  paper.addEventListener('change', apply);

  // A page whose program cannot be loaded says so instead of showing its skeleton for ever.
  const broken = () => document.getElementById('broken')?.removeAttribute('hidden');
  addEventListener('unhandledrejection', (event) => {
    if (document.querySelector('[aria-busy=true].pf-v6-c-page')) {
      console.error(event.reason);
      broken();
    }
  });

  // What index.html itself says, in the language that the pages will be in (app/src/words/load.rs).
  const german = () => {
    let chosen = null;
    try {
      chosen = localStorage.getItem('slipway.language');
    } catch {
      // Then the browser's own languages tell.
    }
    const codes = [chosen, ...navigator.languages].map((code) => (code ?? '').split('-')[0].toLowerCase());
    return codes.find((code) => code === 'en' || code === 'de') === 'de';
  };
  addEventListener('DOMContentLoaded', () => {
    if (!german()) return;
    const told = (query, words) => {
      const place = document.querySelector(query);
      if (!place) return;
      place.lang = 'de';
      place.textContent = words;
    };
    told('#app [role=status] .pf-v6-screen-reader', 'Slipway wird geladen');
    told('#broken b', 'Die Seite von Slipway ist stehen geblieben.');
    told('#broken b + span', 'Ein Fehler in der Seite selbst hat sie beendet; im Cluster wurde nichts angerührt.');
    told('#broken a', 'Seite neu laden');
  });
})();
