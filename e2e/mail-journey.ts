import { test as base } from '../test/harness/browser.ts'
import { type Sink, startSink } from '../test/harness/smtp-sink.ts'

/** The `test` function for specs with emails. The app sends them from the address `mailFrom` to `sink`, an SMTP server that records them. */
export const test = base.extend<{ mailFrom: string; sink: Sink }>({
  mailFrom: ['desk@sauce.example', { option: true }],
  sink: async ({ installations }, use) => use(await installations.server(startSink)),
  environment: ({ sink, mailFrom }, use) => use({ SMTP_URL: sink.url, MAIL_FROM: mailFrom }),
})
