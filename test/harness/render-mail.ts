import type { PageBundle } from '#server/http/pages.ts'
import type { RenderMail } from '#server/http/route.ts'

// In a variable, so that the type check of the server does not follow this import into the pages.
const source = '#web/mail/render-mail.tsx'

/** Renders a mail from the source of the pages, without building them. */
export const renderMail: RenderMail = async (mailBody) =>
  ((await import(source)) as Pick<PageBundle, 'renderMail'>).renderMail(mailBody)
