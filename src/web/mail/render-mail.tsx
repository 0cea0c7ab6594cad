import { renderToStaticMarkup } from 'react-dom/server'
import type { MailBody } from '#kit/mail-body.ts'
import { MailDocument } from './mail-document.tsx'

/** Renders an email as one HTML document. Everything in the body is escaped as text. */
export const renderMail = (mailBody: MailBody): string =>
  `<!doctype html>${renderToStaticMarkup(<MailDocument mailBody={mailBody} />)}`
