import { HeadContent, Scripts, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { fontFiles } from '../styles/fonts.ts'
import { LiveRegion } from '../ui/live-region.tsx'
import { ToastOutlet } from '../ui/toast/toast-outlet.tsx'
import { earlyClicksScript, replayClicks } from './early-clicks.ts'
import { themeScript } from './theme-script.ts'

/**
 * The HTML document of every page, including error pages. It uses no data, so it cannot fail. The inline scripts are not part of the browser's
 * bundle: they ran before hydration, and hydration leaves their text in the HTML unchanged.
 */
export function Document({ children }: { children: ReactNode }) {
  const { ssr, context } = useRouter().options
  const nonce = ssr?.nonce
  useEffect(replayClicks, [])
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {/* The color of the header, which is dark in both schemes. */}
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#140d0a" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#140d0a" />
        <link rel="manifest" href="/manifest.webmanifest" />
        {fontFiles.map((href) => (
          <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        <script nonce={nonce} suppressHydrationWarning>
          {import.meta.env.SSR ? themeScript : ''}
        </script>
        <script nonce={nonce} suppressHydrationWarning>
          {import.meta.env.SSR ? earlyClicksScript : ''}
        </script>
        {context.start && (
          <script nonce={nonce} suppressHydrationWarning>
            {context.start}
          </script>
        )}
        <HeadContent />
      </head>
      <body>
        {children}
        <LiveRegion />
        <ToastOutlet />
        <Scripts />
      </body>
    </html>
  )
}
