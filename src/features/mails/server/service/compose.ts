import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import * as settings from '#features/settings/server/service.ts'
import { type Letter, oneLine } from '#kit/letter.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'
import type { Desk, Template } from '../template.ts'
import { isMailName, templates } from '../templates.ts'
import { isLikeAddress } from '../words.ts'

export type Composed = { letter: Letter; invoiceNumber?: string }
type Draft = { template: string; data: unknown; userId: number | null }

/** Why a mail can never be written, however often it is tried. */
export class NotWritten extends Error {
  override name = 'NotWritten'
}

/** The template of that name. Throws NotWritten for a name the product does not know. */
export function templateNamed(name: string): Template {
  if (!isMailName(name)) throw new NotWritten(`There is no template called ${oneLine(name).slice(0, 80)}`)
  return templates[name]
}

/**
 * What a mail says, in the operator's words of this moment. `path` is where its secret link leads; without one the link is the
 * page without its token. Throws NotWritten when the template is unknown or the data are not what it needs.
 */
export async function compose(
  db: Db,
  config: Config,
  { template: name, data, userId }: Draft,
  path?: string,
): Promise<Composed> {
  const template = templateNamed(name)
  const [site, payments, username] = await Promise.all([
    settings.read(db, 'site'),
    settings.read(db, 'payments'),
    nameOf(db, userId),
  ])
  const origin = config.publicUrl
  const { words, invoiceNumber } = filled(template, data, {
    brand: site.brand.name,
    origin,
    claims: site.claims,
    playerUrl: site.playerUrl,
    payments,
    link: origin + (path ?? template.linksTo ?? '/'),
  })
  const brand = {
    name: oneLine(site.brand.name),
    url: origin,
    email: oneLine(site.contact.email),
    phone: oneLine(site.contact.phone),
  }
  const { reason = `You get this mail because you have an account at ${brand.name}.` } = words
  // The username alone: its letters are limited, while a full name could be a stranger's advertisement sent in our name.
  return {
    letter: {
      ...words,
      subject: oneLine(words.subject),
      greeting: username && !isLikeAddress(username) ? `Hi ${username},` : 'Hello,',
      reason,
      brand,
    },
    invoiceNumber,
  }
}

function filled(template: Template, data: unknown, desk: Desk): ReturnType<Template['fill']> {
  try {
    return template.fill(data, desk)
  } catch (error) {
    // The names of the fields only: what stands in them is the customer's.
    if (error instanceof z.core.$ZodError)
      throw new NotWritten(`Its data do not fit the template: ${error.issues.map((i) => i.path.join('.')).join(', ')}`)
    throw error
  }
}

async function nameOf(db: Db, userId: number | null): Promise<string | undefined> {
  if (userId === null) return undefined
  const [user] = await db.select({ username: users.username }).from(users).where(eq(users.id, userId))
  return user?.username
}
