import type { APIRequestContext, Page } from '@playwright/test'
import { isPublicPath, publicPaths } from '../src/web/public-paths.ts'
import { expect, test } from '../test/harness/browser.ts'

type Plan = { price: number; connections: number; tier: number }
type Faq = { id: number; question: string; answer: string }
const json = async <T>(request: APIRequestContext, path: string) => (await (await request.get(path)).json()) as T
const answers = (page: Page) => page.locator('.faqs').first().locator('details')

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('every public page is served with one heading, its text and its links', async ({ page }) => {
    for (const path of publicPaths) {
      const response = await page.goto(path)
      expect(response?.status(), path).toBe(200)
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1)
      expect((await page.getByRole('main').innerText()).length, path).toBeGreaterThan(300)
      await expect(page.getByRole('navigation', { name: 'Legal' }).getByRole('link'), path).toHaveCount(5)
    }
  })

  test('the home page and the pricing page show every plan of the database with its price', async ({
    page,
    request,
  }) => {
    const plans = await json<Plan[]>(request, '/api/plans')
    for (const path of ['/', '/pricing']) {
      await page.goto(path)
      const cards = page.locator('#pricing, main').first().locator('.plan')
      expect(await cards.filter({ visible: true }).count()).toBe(plans.length)
      for (const { price } of plans)
        await expect(page.getByText(`$${(price / 100).toFixed(2)}`, { exact: true }).first()).toBeVisible()
    }
  })

  test('FAQs open one at a time and show the texts of the database @proof', async ({ page, request }) => {
    const faqs = await json<Faq[]>(request, '/api/faqs')
    await page.goto('/faq')
    for (const [index, { question, answer }] of faqs.entries()) {
      await page.getByText(question, { exact: true }).click()
      await expect(page.getByText(answer, { exact: true })).toBeVisible()
      await expect(page.locator('details[open]')).toHaveCount(1)
      await expect(answers(page).nth(index)).toHaveAttribute('open')
    }
  })

  test('a URL opens the FAQ that it names @proof', async ({ page, request }) => {
    const faq = (await json<Faq[]>(request, '/api/faqs'))[2]!
    await page.goto(`/faq#q-${faq.id}`)
    await expect(page.getByText(faq.answer, { exact: true })).toBeVisible()
    await expect(page.locator('details[open]')).toHaveCount(1)
  })

  test('all three setup guides and all devices can be read @proof', async ({ page, request }) => {
    await page.goto('/setup')
    await expect(page.locator('.guide-steps > li')).toHaveCount(4)
    const video = page.locator('video')
    await expect(video).toHaveAccessibleName(/^Video tutorial/)
    for (const address of [
      await video.getAttribute('poster'),
      await video.locator('source').getAttribute('src'),
      await video.locator('track').getAttribute('src'),
    ])
      expect((await request.get(address!)).headers()['content-type'], address!).toMatch(
        /^(image\/png|video\/mp4|text\/vtt)/,
      )
    await expect(page.getByText('The guide for Android is coming soon.')).toBeVisible()
    await expect(page.getByText('The guide for other devices is coming soon.')).toBeVisible()
    const categories = await json<{ name: string; devices: string[] }[]>(request, '/api/device-categories')
    await page.goto('/devices')
    for (const { name, devices } of categories) {
      await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
      for (const device of devices) await expect(page.getByText(device, { exact: true }).first()).toBeVisible()
    }
  })

  test('forms explain that they need JavaScript and offer an alternative @proof', async ({ page }) => {
    for (const path of ['/', '/contact']) {
      await page.goto(path)
      // Playwright's text matching ignores noscript elements.
      await expect(page.locator('noscript p')).toBeVisible()
      await expect(page.locator('.inquiry-wait')).toBeHidden()
      await expect(page.getByRole('main').getByRole('link', { name: '@' })).toHaveAttribute('href', /^mailto:/)
      await expect(page.getByRole('main').getByRole('link', { name: '+1' })).toHaveAttribute('href', /^tel:\+\d+$/)
    }
  })
})

test('no link of a public page is broken, and every anchor exists', async ({ request, baseURL }) => {
  const seen = new Map<string, { status: number; html: string }>()
  const read = async (path: string) => {
    const known = seen.get(path)
    if (known) return known
    const response = await request.get(path)
    const found = { status: response.status(), html: await response.text() }
    seen.set(path, found)
    return found
  }
  const dead: string[] = []
  for (const from of publicPaths) {
    const { html } = await read(from)
    const links = Array.from(
      html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g),
      ([, href]) => new URL(href!.replaceAll('&amp;', '&'), `${baseURL}${from}`),
    )
    expect(links.length, from).toBeGreaterThan(20)
    for (const link of links.filter(({ origin }) => origin === baseURL)) {
      const { status, html: there } = await read(link.pathname + link.search)
      if (status !== 200) dead.push(`${from} leads to ${link.pathname}${link.search}: ${status}`)
      if (link.hash && !there.includes(` id="${link.hash.slice(1)}"`))
        dead.push(`${from} leads to ${link.pathname}${link.hash}, which is not there`)
    }
  }
  expect(dead).toEqual([])
  expect([...seen.keys()].filter((path) => isPublicPath(path)).length).toBe(publicPaths.length)
})

test.describe('metadata for search engines and link previews', () => {
  const headOf = (page: Page) =>
    page.evaluate(() => {
      const content = (name: string) =>
        document.querySelector(`meta[name="${name}"], meta[property="${name}"]`)?.getAttribute('content') ?? null
      return {
        title: document.title,
        description: content('description'),
        robots: content('robots'),
        url: content('og:url'),
        image: content('og:image'),
        imageAlt: content('og:image:alt'),
        canonical: Array.from(document.querySelectorAll('link[rel=canonical]'), (link) => link.getAttribute('href')),
        data: Array.from(document.querySelectorAll('script[type="application/ld+json"]'), (script) =>
          JSON.parse(script.textContent),
        ),
      }
    })

  test('every public page has a unique title, description and canonical URL, and valid structured data', async ({
    page,
    baseURL,
    request,
  }) => {
    const titles = new Set<string>()
    const descriptions = new Set<string | null>()
    for (const path of publicPaths) {
      const response = await page.goto(`${path}?utm_source=somewhere`)
      const head = await headOf(page)
      expect(head.canonical, path).toEqual([`${baseURL}${path}`])
      expect(head.url, path).toBe(`${baseURL}${path}`)
      expect(head.robots, path).toBeNull()
      expect(response?.headers()['x-robots-tag'], path).toBeUndefined()
      expect(head.imageAlt, path).toBeTruthy()
      expect((await request.get(head.image!)).headers()['content-type']).toBe('image/png')
      expect(head.data, path).toEqual([expect.objectContaining({ '@context': 'https://schema.org' })])
      titles.add(head.title)
      descriptions.add(head.description)
    }
    expect(titles.size).toBe(publicPaths.length)
    expect(descriptions.size).toBe(publicPaths.length)
  })

  test('offers and FAQs in the structured data match the page @proof', async ({ page, request }) => {
    await page.goto('/pricing')
    const [pricing] = (await headOf(page)).data
    const offered = pricing['@graph'].filter((thing: { '@type': string }) => thing['@type'] === 'Product')
    const plans = await json<Plan[]>(request, '/api/plans')
    expect(offered.map(({ offers }: { offers: { price: string } }) => offers.price)).toEqual(
      plans.map(({ price }) => (price / 100).toFixed(2)),
    )
    await page.goto('/faq')
    const [faq] = (await headOf(page)).data
    const faqs = await json<Faq[]>(request, '/api/faqs')
    expect(faq['@graph'][0].mainEntity.map(({ name }: { name: string }) => name)).toEqual(
      faqs.map(({ question }) => question),
    )
  })

  test('contains the configured public address for every request host', async ({ request, baseURL }) => {
    const html = await (
      await request.get('/pricing?fresh', { headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } })
    ).text()
    expect(html).toContain(`<link rel="canonical" href="${baseURL}/pricing"/>`)
    expect(html).not.toContain('evil.example')
  })

  test('pages that are not public have noindex @proof', async ({ page, register, baseURL, allowPageError }) => {
    allowPageError(/status of 404/)
    await page.goto('/register')
    expect((await headOf(page)).canonical).toEqual([`${baseURL}/auth`])
    await register()
    for (const path of ['/dashboard', '/invoices', '/checkout', '/nothing/here']) {
      const response = await page.goto(path)
      expect(response?.headers()['x-robots-tag'], path).toMatch(/noindex/)
      expect((await headOf(page)).robots, path).toMatch(/noindex/)
    }
  })

  test('the sitemap lists only public pages, robots.txt allows them, and the manifest’s icons exist', async ({
    request,
    baseURL,
  }) => {
    const sitemap = await (await request.get('/sitemap.xml')).text()
    const addresses = Array.from(sitemap.matchAll(/<loc>(.*?)<\/loc>/g), ([, address]) => address)
    expect(addresses).toEqual(publicPaths.map((path) => `${baseURL}${path}`))
    expect(await (await request.get('/robots.txt')).text()).toContain(`Sitemap: ${baseURL}/sitemap.xml`)
    const { icons } = await json<{ icons: { src: string; type: string }[] }>(request, '/manifest.webmanifest')
    for (const { src, type } of icons) expect((await request.get(src)).headers()['content-type'], src).toContain(type)
  })
})

test('an unknown path gets a 404 page with its own title', async ({ page, allowPageError }) => {
  allowPageError(/status of 404/)
  const response = await page.goto('/nothing/here')
  expect(response?.status()).toBe(404)
  await expect(page).toHaveTitle('404 Page Not Found')
  await expect(page.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Home' }).click()
  await expect(page).toHaveTitle(/every screen$/)
})
