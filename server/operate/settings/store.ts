import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/connect.ts'

/** Stores the texts if `version` is still the stored one. Otherwise returns false. */
export async function writeSettings(
  tx: Tx,
  version: number,
  texts: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const { rows } = await sql`
    insert into site_settings (version, texts) values (${version + 1}, ${JSON.stringify(texts)})
    on conflict (one) do update set version = excluded.version, texts = excluded.texts
    where site_settings.version = ${version}
    returning version`.execute(tx)
  return rows.length === 1
}
