import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { notifyAdmins, notifyLogos } from '#server/live/notify.ts'
import { getChannelLogos } from '../../admin-contract.ts'
import * as logos from './logo-store.ts'

type Told = Output<typeof getChannelLogos>

/** Whether the panel's logos are shown, and how far fetching them has come. */
export const readLogos = async (db: Db): Promise<Told> => ({
  ...(await settings.read(db, 'logos')),
  ...(await logos.countLogos(db)),
})

/** Switches the panel's logos on or off for the whole lineup; audited. */
export async function switchLogos(
  db: Db,
  fromPanel: boolean,
  editor: { id: number; requestId: string },
): Promise<Told> {
  await inTransaction(db, async (tx) => {
    await settings.write(tx, 'logos', { fromPanel }, editor.id, editor.requestId)
    await logos.showLogos(tx, fromPanel)
    await notifyLogos(tx)
    await notifyAdmins(tx, [getChannelLogos.id])
  })
  settings.forget()
  return readLogos(db)
}
