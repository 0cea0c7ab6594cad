import type { BrowserContext } from '@playwright/test'

/** Collects the errors of pages: console, exceptions, failed requests, content security policy. */
export class PageErrors {
  readonly #seen: string[] = []
  readonly #expected: RegExp[] = []

  expect(pattern: RegExp): void {
    this.#expected.push(pattern)
  }

  unexpected(): string[] {
    return this.#seen.filter((error) => !this.#expected.some((pattern) => pattern.test(error)))
  }

  async listen(context: BrowserContext): Promise<void> {
    context.on('console', (message) => {
      // A query was canceled because the user left its page before the response arrived.
      const isCancelled = /CancelledError/.test(message.text())
      if (message.type() === 'error' && !isCancelled)
        this.#seen.push(`console: ${message.text()} (${message.location().url})`)
    })
    context.on('weberror', (error) =>
      this.#seen.push(
        `exception: ${error.error().stack || String(error.error()) || 'a thrown value that is not an Error'} (${error.page()?.url()})`,
      ),
    )
    context.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? ''
      // The page navigated away before the response arrived.
      if (reason !== 'net::ERR_ABORTED') this.#seen.push(`request: ${request.method()} ${request.url()} ${reason}`)
    })
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(
          `policy: ${event.effectiveDirective} refused ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
        ),
      )
    })
  }
}
