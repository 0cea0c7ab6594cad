import { letterText } from '#kit/letter.ts'
import { notFound, Refusal } from '#server/errors.ts'
import { type AppContext, implement, type Route } from '#server/http/route.ts'
import {
  getMail,
  getMailDocument,
  getTemplateDocument,
  listMails,
  listTemplates,
  resendMail,
  revealMail,
  testTemplate,
} from '../contract.ts'
import { compose, NotWritten } from './service/compose.ts'
import * as reading from './service/read-mails.ts'
import * as resending from './service/resend-mail.ts'
import * as revealing from './service/reveal-mail.ts'
import * as testing from './service/test-template.ts'
import { isMailName, type MailName, templates } from './templates.ts'

const sampleOf = (template: MailName, userId: number) => ({ template, data: templates[template].sample, userId })

async function documentOf(
  { db, config, renderLetter }: AppContext,
  draft: { template: string; data: unknown; userId: number | null },
): Promise<string> {
  try {
    return await renderLetter((await compose(db, config, draft)).letter)
  } catch (error) {
    if (error instanceof NotWritten) throw new Refusal(409, 'not_written', error.message)
    throw error
  }
}

export const routes: Route[] = [
  implement(listMails, ({ db, query }) => reading.listMails(db, query)),
  implement(getMail, ({ db, config, params }) => reading.getMail(db, config, params.mailId)),
  implement(getMailDocument, async (house) => documentOf(house, await reading.mailById(house.db, house.params.mailId))),
  implement(resendMail, ({ db, params, user: admin, requestId }) =>
    resending.resendMail(db, params.mailId, { admin, requestId }),
  ),
  implement(revealMail, ({ db, config, params, user: admin, requestId }) =>
    revealing.revealMail(db, config, params.mailId, {
      admin,
      requestId,
      selfApproval: config.selfApproval === 'allow',
    }),
  ),
  implement(listTemplates, async ({ db, config, user }) => {
    const names = Object.keys(templates) as MailName[]
    const written = names.map(async (name) => {
      const { letter } = await compose(db, config, sampleOf(name, user.id))
      return { name, title: templates[name].title, subject: letter.subject, text: letterText(letter) }
    })
    return { templates: await Promise.all(written), from: config.smtp?.from.address ?? null }
  }),
  implement(getTemplateDocument, (house) => {
    const { template } = house.params
    return isMailName(template) ? documentOf(house, sampleOf(template, house.user.id)) : notFound('Template not found')
  }),
  implement(testTemplate, ({ db, config, params, user: admin, requestId }) =>
    testing.testTemplate(db, config, params.template, { admin, requestId }),
  ),
]
