import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import * as settings from '#features/settings/server/service.ts'
import { type MailBody, toSingleLine } from '#kit/mail-body.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'
import { looksLikeAddress } from '../mail-blocks.ts'
import { type MailLook, mailAccent, mailLogo } from '../mail-look.ts'
import type { Template, TemplateContext } from '../template.ts'
import { isMailName, templates } from '../templates.ts'

export type Composed = { mailBody: MailBody; invoiceNumber?: string; expectsAnswer: boolean }
type Draft = { template: string; data: unknown; userId: number | null }

/** Thrown if an email can never be composed, so retrying does not help. */
export class ComposeError extends Error {
  override name = 'ComposeError'
}

/** Returns the template with this name. Throws ComposeError for an unknown name. */
export function templateNamed(name: string): Template {
  if (!isMailName(name)) throw new ComposeError(`There is no template called ${toSingleLine(name).slice(0, 80)}`)
  return templates[name]
}

/**
 * Builds the body of an email from its template and the operator's current settings. `path` is the path of its secret link;
 * without it the link is the page without its token. `shownBrand` replaces the public brand in previews. Throws ComposeError when the template is unknown or the data is invalid.
 */
export async function compose(
  db: Db,
  config: Config,
  { template: name, data, userId }: Draft,
  path?: string,
  shownBrand?: MailLook,
): Promise<Composed> {
  const template = templateNamed(name)
  const [site, payments, username] = await Promise.all([
    settings.read(db, 'site'),
    settings.read(db, 'payments'),
    usernameOf(db, userId),
  ])
  const origin = config.publicUrl
  const look = shownBrand ?? site.brand
  const { content, invoiceNumber } = fillTemplate(template, data, {
    brand: look.name,
    origin,
    claims: site.claims,
    playerUrl: site.playerUrl,
    payments,
    link: origin + (path ?? template.linksTo ?? '/'),
  })
  const brand = {
    name: toSingleLine(look.name),
    url: origin,
    email: toSingleLine(site.contact.email),
    phone: toSingleLine(site.contact.phone),
    logo: mailLogo(look.logo, origin),
    accent: mailAccent(look.hue),
  }
  const { reason = `You received this email because you have an account at ${brand.name}.` } = content
  // Only the username: its characters are restricted, while a full name could carry advertising sent under our brand.
  return {
    mailBody: {
      ...content,
      subject: toSingleLine(content.subject),
      greeting: username && !looksLikeAddress(username) ? `Hi ${username},` : 'Hello,',
      reason,
      brand,
    },
    invoiceNumber,
    expectsAnswer: content.expectsAnswer ?? false,
  }
}

function fillTemplate(template: Template, data: unknown, context: TemplateContext): ReturnType<Template['fill']> {
  try {
    return template.fill(data, context)
  } catch (error) {
    // Only the field names: their values are customer data.
    if (error instanceof z.core.$ZodError)
      throw new ComposeError(
        `Its data does not match the template: ${error.issues.map((i) => i.path.join('.')).join(', ')}`,
      )
    throw error
  }
}

async function usernameOf(db: Db, userId: number | null): Promise<string | undefined> {
  if (userId === null) return undefined
  const [user] = await db.select({ username: users.username }).from(users).where(eq(users.id, userId))
  return user?.username
}
