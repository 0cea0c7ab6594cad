import { sql } from 'drizzle-orm'
import { mailSender } from '#features/mails/server/mail-server/load-smtp.ts'
import { mainPanelId } from '#features/provisioning/panel-rules.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { installation, linePanel, mails } from '#server/db/tables.ts'
import type { HealthFacts } from '../../rules.ts'
import { isMailboxUnread, mailboxUnreadSince } from '../waiting-work.ts'

type Row = {
  down: string | null
  othersDown: string | null
  failed: string | null
  due: string | null
  backup: string | null
  mailbox: { unreadSince: string | null; isPaused: boolean } | null
}

/** Reads the facts about the panel, email, the payment mailbox and the last backup from the database. */
export async function readHealth(db: Db, config: Pick<Config, 'smtp'>): Promise<HealthFacts> {
  const [{ kind }, sender, { rows }] = await Promise.all([
    settings.read(db, 'provisioning'),
    mailSender(db, config),
    db.execute<Row>(sql`select
      (select min(${linePanel.downSince}) from ${linePanel}) as down,
      (select min(${linePanel.downSince}) from ${linePanel} where ${linePanel.id} <> ${mainPanelId}) as "othersDown",
      (select ${mails.createdAt} from ${mails} where ${mails.status} = 'failed' order by ${mails.id} desc limit 1) as failed,
      (select ${mails.dueAt} from ${mails} where ${mails.status} = 'queued' and ${mails.dueAt} <= now()
       order by ${mails.dueAt}, ${mails.id} limit 1) as due,
      (select ${installation.backedUpAt} from ${installation}) as backup,
      (select jsonb_build_object('unreadSince', case when ${isMailboxUnread} then ${mailboxUnreadSince} end, 'isPaused', paused_since is not null)
       from mailbox_reader where enabled_at is not null) as mailbox`),
  ])
  const { othersDown, failed, due, backup, mailbox } = rows[0]!
  // With manual provisioning, the stored state of the main panel is outdated.
  const down = kind === 'manual' ? othersDown : rows[0]!.down
  return {
    panel: kind === 'manual' && down === null ? null : { downSince: instantOf(down) },
    mail: { isSetUp: sender !== null, failedAt: instantOf(failed), dueSince: instantOf(due) },
    backup: { at: instantOf(backup) },
    mailbox: mailbox && { ...mailbox, unreadSince: instantOf(mailbox.unreadSince) },
  }
}

const instantOf = (value: string | null) => (value === null ? null : new Date(value).toISOString())
