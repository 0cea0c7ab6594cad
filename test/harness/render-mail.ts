import { join } from 'node:path'
import type { PageBundle } from '#server/http/pages.ts'
import type { RenderMail } from '#server/http/route.ts'

const root = join(import.meta.dirname, '../..')
let bundle: Promise<Pick<PageBundle, 'renderMail'>> | undefined

/** Renders an email with the source files of the pages, without building them. */
export const renderMail: RenderMail = async (mailBody) => {
  bundle ??= loadSource()
  return (await bundle).renderMail(mailBody)
}

/** Node cannot load JSX, so Vite does. */
async function loadSource(): Promise<Pick<PageBundle, 'renderMail'>> {
  const { runnerImport } = await import('vite')
  const source = join(root, 'src/web/mail/render-mail.tsx')
  const options = { root, configFile: false, logLevel: 'error', oxc: { jsx: { runtime: 'automatic' } } } as const
  return (await runnerImport<Pick<PageBundle, 'renderMail'>>(source, options)).module
}
