import { Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import type { BrandSettings } from '#features/settings/contract.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { BrandMailFrame } from './brand-mail-frame.tsx'
import { BrandPageFrame } from './brand-page-frame.tsx'

const pages = { home: 'Home', checkout: 'Checkout', email: 'Email' }
type Page = keyof typeof pages

/** A page or an email with the brand of the form. The theme of an email is that of the device which shows it. */
export function BrandPreview({ brand }: { brand: BrandSettings }) {
  const [page, setPage] = useState<Page>('home')
  const [theme, setTheme] = useState<'light' | 'dark'>('light')
  return (
    <Card className="brand-preview" title="Preview" titleId="brand-preview" flush>
      <div className="brand-preview-choices">
        <fieldset className="flex flex-wrap gap-1">
          <legend className="sr-only">Page</legend>
          {(Object.keys(pages) as Page[]).map((each) => (
            <Button
              key={each}
              variant={page === each ? 'ink' : 'line'}
              size="sm"
              aria-pressed={page === each}
              onClick={() => setPage(each)}
            >
              {pages[each]}
            </Button>
          ))}
        </fieldset>
        {page !== 'email' && (
          <fieldset className="ml-auto flex gap-1">
            <legend className="sr-only">Preview theme</legend>
            {(['light', 'dark'] as const).map((each) => (
              <Button
                key={each}
                variant={theme === each ? 'ink' : 'ghost'}
                size="sm"
                icon
                aria-label={each === 'light' ? 'Light' : 'Dark'}
                aria-pressed={theme === each}
                onClick={() => setTheme(each)}
              >
                {each === 'light' ? <Sun size={18} /> : <Moon size={18} />}
              </Button>
            ))}
          </fieldset>
        )}
      </div>
      {page === 'email' ? <BrandMailFrame brand={brand} /> : <BrandPageFrame brand={brand} theme={theme} page={page} />}
    </Card>
  )
}
