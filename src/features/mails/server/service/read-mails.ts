import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { Page } from '#kit/endpoint.ts'
import { mailBodyText } from '#kit/mail-body.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { mails, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { sortBuckets } from '#server/lists/counted-lists.ts'
import { type List, readPage } from '#server/lists/list.ts'
import { countedTotal } from '#server/lists/list-count.ts'
import { containsIndexed, hasId } from '#server/lists/list-search.ts'
import type { MailDetail, MailRow, mailListQuery, mailSorts } from '../../admin-contract.ts'
import { canResend, canReveal } from '../../rules.ts'
import { isMailName, templates } from '../templates.ts'
import { ComposeError, compose } from './compose.ts'

type Mail = typeof mails.$inferSelect
type Query = z.output<typeof mailListQuery>

const titleOf = (name: string): string => (isMailName(name) ? templates[name].title : name)
/** Whether a template requires a secret link. */
export const needsLink = (name: string): boolean => isMailName(name) && templates[name].linksTo !== undefined

const templateNamesMatching = (title: string | undefined): string[] => {
  const term = title?.trim().toLowerCase()
  return term
    ? Object.entries(templates).flatMap(([name, template]) =>
        template.title.toLowerCase().includes(term) || name.includes(term) ? [name] : [],
      )
    : []
}

const mailList: List<MailRow, (typeof mailSorts)[number], Query> = {
  table: mails,
  // Ids follow the order of creation.
  sorts: { createdAt: [] },
  where: ({ search, status }, ofUser) =>
    and(
      search
        ? or(
            containsIndexed(sql`lower(${mails.recipient})`, search),
            ofUser(mails.userId),
            hasId(mails.id, search),
            templateNamesMatching(search).length > 0
              ? inArray(mails.template, templateNamesMatching(search))
              : undefined,
          )
        : undefined,
      status && eq(mails.status, status),
    ),
  buckets: { createdAt: sortBuckets('mails', 'createdAt') },
  bucketFilter: ({ search, status }) => (search ? undefined : { list: 'mails', status }),
  countedTotal: ({ search, status }) => (search ? undefined : countedTotal('mails', ...(status ? [status] : []))),
  rows: async (db, ids) =>
    (await rowsOf(db).where(inArray(mails.id, ids))).map(({ mail, username }) => ({
      ...mail,
      username,
      title: titleOf(mail.template),
    })),
}

const rowsOf = (db: Db | Tx) =>
  db.select({ mail: mails, username: users.username }).from(mails).leftJoin(users, eq(users.id, mails.userId))

/**
 * Returns one page of the mail log. `search` is matched literally against recipient, username, email and template title; `#12` finds the email with the id
 * 12.
 */
export const listMails = (db: Db, query: Query): Promise<Page<MailRow>> => readPage(db, mailList, query)

/** Returns the email's row in the outbox. Throws 404 if there is none. */
export async function mailById(db: Db | Tx, id: number): Promise<Mail & { username: string | null }> {
  const [row] = await rowsOf(db).where(eq(mails.id, id))
  return row ? { ...row.mail, username: row.username } : notFound('Mail not found')
}

/** Returns an email with its text. Its secret link is shown without the token. Throws 404 if there is no such email. */
export async function getMail(db: Db, config: Config, id: number): Promise<MailDetail> {
  const mail = await mailById(db, id)
  const links = { needsLink: needsLink(mail.template), hasLink: mail.sealed !== null }
  const shared = {
    ...mail,
    title: titleOf(mail.template),
    canResend: canResend({ ...mail, ...links }),
    canReveal: canReveal({ ...mail, ...links }),
  }
  try {
    const { mailBody, invoiceNumber } = await compose(db, config, mail)
    return {
      ...shared,
      subject: mailBody.subject,
      text: mailBodyText(mailBody),
      trouble: null,
      attachment: invoiceNumber ? `Invoice-${invoiceNumber}.pdf` : null,
    }
  } catch (error) {
    if (!(error instanceof ComposeError)) throw error
    return { ...shared, subject: null, text: null, trouble: error.message, attachment: null }
  }
}
