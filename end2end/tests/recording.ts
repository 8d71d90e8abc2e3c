// Recorded answers about the list of releases, where a test needs rows that no cluster would give in time: thousands, or
// odd ones. The page and its server are real.
import type { Page } from '@playwright/test';

const now = Date.UTC(2026, 5, 1);

type More = {
  phase?: object;
  status?: string;
  revision?: number;
  chart?: string;
  version?: string;
  app?: string | null;
  description?: string;
  target?: string;
  detail?: object;
};

/** A row of the list; deployed, unless it says otherwise. */
export function row(namespace: string, name: string, more: More = {}) {
  const { chart = 'web', version = '1.0.0', app = null, description = 'Install complete', target = null } = more;
  const times = { firstDeployed: now - 9_000_000, lastDeployed: now - 8_000_000, deleted: null };
  const known = { state: 'known', chart, chartVersion: version, appVersion: app, icon: null, description, targetNamespace: target };
  return {
    key: { namespace, name },
    phase: more.phase ?? { phase: 'deployed' },
    revision: more.revision ?? 1,
    status: more.status ?? 'deployed',
    detail: more.detail ?? { ...known, ...times },
    updated: now - 8_000_000,
  };
}

export type Row = ReturnType<typeof row>;

const sorted = (rows: Row[]) => {
  const key = ({ key }: Row) => `${key.namespace}/${key.name}`;
  return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
};

/** Answers about the list with these rows, until `tell` is called with others: as the server does when something changed. */
export async function recorded(page: Page, given: { rows: Row[]; updates?: object[] | number; warnings?: string[] }) {
  let version = 1;
  let { rows } = given;
  let waiting: ((version: number) => void)[] = [];
  await page.route('**/api/ui/releases', async (route) => {
    const asked = route.request().postDataJSON();
    // As the server does, a question is held for so long at most.
    const held = new Promise((resolve) => setTimeout(resolve, 25_000));
    if (asked.since === String(version)) await Promise.race([held, new Promise<number>((resolve) => waiting.push(resolve))]);
    const mine = asked.namespace ? rows.filter(({ key }) => key.namespace === asked.namespace) : rows;
    const json = { version: String(version), now, releases: sorted(mine), warnings: given.warnings ?? [] };
    // The page may be gone by then.
    await route.fulfill({ json }).catch(() => {});
  });
  await page.route('**/api/ui/updates', (route) =>
    typeof given.updates === 'number'
      ? route.fulfill({ status: given.updates, json: { code: 'unavailable', message: 'No repository can be reached.' } })
      : route.fulfill({ json: given.updates ?? [] }),
  );
  const tell = (others: Row[]) => {
    rows = others;
    version += 1;
    waiting.forEach((resolve) => resolve(version));
    waiting = [];
  };
  return { tell };
}
