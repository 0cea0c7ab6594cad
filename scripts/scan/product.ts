import { dataFolder, runApp } from '../../test/harness/running-app.ts'

/** A running app with sample data, a customer with one of each resource, and sessions for the scanners. */
export type Product = {
  url: string
  /** Cookie headers. */
  customer: string
  admin: string
  /** Existing ids for parameters in paths and bodies, by name. */
  ids: Record<string, string>
  output: () => string
  stop: () => Promise<void>
}

const admin = { username: 'admin', password: 'scanned-only-here' }

/** Starts the product with default settings but practically without rate limits, which would stop the scanners. */
export async function startProduct(): Promise<Product> {
  const data = dataFolder()
  const env = {
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password,
    RATE_LIMIT_FACTOR: '1000000',
    LOG_LEVEL: 'error',
    SEED: 'sample',
  }
  const app = await runApp({ dataDir: data.path, env, remember: 10_000 })
  const stop = async () => {
    await app.stop()
    data.remove()
  }
  try {
    const send = async (cookie: string, path: string, body: object) => {
      const headers = { origin: app.url, cookie, 'content-type': 'application/json' }
      const response = await fetch(app.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      if (response.status !== 200) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`)
      return {
        cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '',
        answer: (await response.json()) as Record<string, unknown>,
      }
    }
    const registered = await send('', '/api/register', {
      username: 'olive',
      email: 'olive@example.org',
      password: 'correct-horse',
    })
    const customer = registered.cookie
    const [plan] = (await (await fetch(`${app.url}/api/plans`)).json()) as { id: number }[]
    const order = await send(customer, '/api/create-invoice', { planId: plan!.id, email: 'olive@example.org' })
    const report = await send(customer, '/api/reports', {
      contentName: 'Channel One',
      contentType: 'channel',
      issue: 'buffering',
    })
    const trial = await send(customer, '/api/trial-requests', {
      device: 'Fire TV',
      message: 'I would like to see it at home first.',
    })
    await send('', '/api/inquiries', {
      name: 'Pat Doe',
      email: 'pat@example.org',
      message: 'Do you carry the news channel in HD?',
    })
    const ids = {
      userId: String((registered.answer.user as { id: number }).id),
      username: 'olive',
      email: 'olive@example.org',
      planId: String(plan!.id),
      invoiceNumber: String(order.answer.invoiceNumber),
      reportId: String(report.answer.id),
      trialRequestId: String(trial.answer.id),
      document: 'terms',
      section: 'site',
      template: 'welcome',
    }
    return {
      url: app.url,
      customer,
      admin: (await send('', '/api/login', admin)).cookie,
      ids,
      output: app.output,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
