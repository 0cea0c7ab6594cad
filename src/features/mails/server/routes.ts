import { mailBodyText } from '#kit/mail-body.ts'
import { notFound, Refusal } from '#server/errors.ts'
import { type AppContext, implement, type Route } from '#server/http/route.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { approverOf } from '#server/session/actor.ts'
import {
  getMail,
  getMailDocument,
  getTemplateDocument,
  listMails,
  listTemplates,
  resendMail,
  revealMail,
  testTemplate,
} from '../admin-contract.ts'
import { getMailServer, updateMailServer as updateMailServerEndpoint } from '../admin-server-contract.ts'
import { type MailLook, previewedLook } from './mail-look.ts'
import { mailSender } from './mail-server/load-smtp.ts'
import { readMailServer, updateMailServer } from './mail-server/settings.ts'
import { ComposeError, compose } from './service/compose.ts'
import * as reading from './service/read-mails.ts'
import * as resending from './service/resend-mail.ts'
import * as revealing from './service/reveal-mail.ts'
import * as testing from './service/test-template.ts'
import { isMailName, type MailName, templates } from './templates.ts'

const sampleDraft = (template: MailName, userId: number) => ({ template, data: templates[template].sample, userId })

async function renderDocument(
  { db, config, renderMail }: AppContext,
  draft: { template: string; data: unknown; userId: number | null },
  shownBrand?: MailLook,
): Promise<string> {
  try {
    return await renderMail((await compose(db, config, draft, undefined, shownBrand)).mailBody)
  } catch (error) {
    if (error instanceof ComposeError) throw new Refusal(409, 'not_written', error.message)
    throw error
  }
}

export const routes: Route[] = [
  implement(listMails, ({ db, query }) => reading.listMails(db, query)),
  implement(getMail, ({ db, config, params }) => reading.getMail(db, config, params.mailId)),
  implement(getMailDocument, async (ctx) => renderDocument(ctx, await reading.mailById(ctx.db, ctx.params.mailId))),
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
    const rendered = names.map(async (name) => {
      const { mailBody } = await compose(db, config, sampleDraft(name, user.id))
      return { name, title: templates[name].title, subject: mailBody.subject, text: mailBodyText(mailBody) }
    })
    return { templates: await Promise.all(rendered), from: await mailSender(db, config) }
  }),
  implement(getTemplateDocument, (ctx) => {
    const { template } = ctx.params
    return isMailName(template)
      ? renderDocument(ctx, sampleDraft(template, ctx.user.id), previewedLook(ctx.query))
      : notFound('Template not found')
  }),
  implement(getMailServer, ({ db, config }) => readMailServer(db, config)),
  implement(updateMailServerEndpoint, ({ body, ...ctx }) =>
    updateMailServer({ ...ctx, keys: () => secretKey(ctx.config) }, body, approverOf(ctx)),
  ),
  implement(testTemplate, ({ db, config, params, user: admin, requestId }) =>
    testing.testTemplate(db, config, params.template, { admin, requestId }),
  ),
]
