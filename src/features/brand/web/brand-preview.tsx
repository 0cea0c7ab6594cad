import { Monitor, Moon, Smartphone, Sun } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { BrandSettings } from '#features/settings/contract.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { BrandMailFrame } from './brand-mail-frame.tsx'
import { BrandPageFrame } from './brand-page-frame.tsx'

const pages = { home: 'Home', checkout: 'Checkout', email: 'Email' }
type Page = keyof typeof pages
const widths = {
  wide: { label: 'Computer', icon: <Monitor size={18} /> },
  narrow: { label: 'Phone', icon: <Smartphone size={18} /> },
}
const themes = { light: { label: 'Light', icon: <Sun size={18} /> }, dark: { label: 'Dark', icon: <Moon size={18} /> } }

/** A preview of a page or an email with the brand in the form. There is no choice of theme for an email: it has the theme of the device. */
export function BrandPreview({ brand }: { brand: BrandSettings }) {
  const [page, setPage] = useState<Page>('home')
  const [width, setWidth] = useState<keyof typeof widths>('wide')
  const [theme, setTheme] = useState<keyof typeof themes>('light')
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
          <div className="ml-auto flex flex-wrap gap-3">
            <IconChoice legend="Preview width" choices={widths} chosen={width} onChoose={setWidth} />
            <IconChoice legend="Preview theme" choices={themes} chosen={theme} onChoose={setTheme} />
          </div>
        )}
      </div>
      {page === 'email' ? (
        <BrandMailFrame brand={brand} />
      ) : (
        <BrandPageFrame brand={brand} theme={theme} page={page} isWide={width === 'wide'} />
      )}
    </Card>
  )
}

interface IconChoiceProps<Value extends string> {
  legend: string
  choices: Record<Value, { label: string; icon: ReactNode }>
  chosen: Value
  onChoose: (value: Value) => void
}

function IconChoice<Value extends string>({ legend, choices, chosen, onChoose }: IconChoiceProps<Value>) {
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">{legend}</legend>
      {(Object.keys(choices) as Value[]).map((each) => (
        <Button
          key={each}
          variant={chosen === each ? 'ink' : 'ghost'}
          size="sm"
          icon
          aria-label={choices[each].label}
          aria-pressed={chosen === each}
          onClick={() => onChoose(each)}
        >
          {choices[each].icon}
        </Button>
      ))}
    </fieldset>
  )
}
