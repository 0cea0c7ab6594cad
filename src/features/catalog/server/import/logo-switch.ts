import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { changed, notifyLogos } from '#server/live/notify.ts'
import type { getChannelLogos } from '../../admin-import-contract.ts'
import * as logos from './logo-store.ts'

type LogoStatus = Output<typeof getChannelLogos>

/** Returns whether the panel's logos are shown, and how many are fetched. */
export const readLogos = async (db: Db): Promise<LogoStatus> => ({
  ...(await settings.read(db, 'logos')),
  ...(await logos.countLogos(db)),
})

/** Shows or hides the panel's logos in the whole lineup. Audited. */
export async function switchLogos(
  db: Db,
  fromPanel: boolean,
  editor: { id: number; requestId: string },
): Promise<LogoStatus> {
  await inTransaction(db, async (tx) => {
    await settings.writeSetting(tx, 'logos', { fromPanel }, editor.id, editor.requestId)
    await logos.showLogos(tx, fromPanel)
    await notifyLogos(tx)
    await changed(tx, 'logo')
  })
  settings.clearCache()
  return readLogos(db)
}
