import { Monitor, Moon, Sun } from 'lucide-react'
import { Button } from '../ui/button/button.tsx'
import { setTheme, type Theme, useTheme } from './theme.ts'

const next: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }

/**
 * A button that cycles through system, light and dark. CSS selects the icon by the `data-theme` attribute of the document, so the icon is correct before
 * hydration.
 */
export function ThemeToggle({ className }: { className?: string }) {
  const theme = useTheme()
  return (
    <Button
      variant="ghost"
      icon
      className={className}
      aria-label={`Color theme: ${theme}. Switch to ${next[theme]}`}
      onClick={() => setTheme(next[theme])}
    >
      <Monitor size={20} className="when-system" />
      <Sun size={20} className="when-light" />
      <Moon size={20} className="when-dark" />
    </Button>
  )
}
