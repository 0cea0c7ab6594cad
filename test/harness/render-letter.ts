import type { PageBundle } from '#server/http/pages.ts'
import type { RenderMail } from '#server/http/route.ts'

// Named indirectly: the server's types know no page.
const source = '#web/mail/render-letter.tsx'

/** A mail as HTML from the pages' own sources, without a build of them. */
export const renderLetter: RenderMail = async (letter) =>
  ((await import(source)) as Pick<PageBundle, 'renderLetter'>).renderLetter(letter)
