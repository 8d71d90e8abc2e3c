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
})();
