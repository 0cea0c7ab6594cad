import { useQuery } from '@tanstack/react-query'
import { getTwoFactor } from '#features/two-factor/contract.ts'
import { query } from '#web/data.ts'
import { Note } from '#web/ui/note.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'

/** Shown to an administrator without two-step verification when the settings require it. */
export function TwoFactorNote() {
  const { data } = useQuery(query(getTwoFactor))
  if (!data?.required || data.enabled) return null
  return (
    <Note
      tone="warn"
      className="mb-5"
      action={
        <ButtonLink to="/security" variant="ink" size="sm">
          Set Up
        </ButtonLink>
      }
    >
      Administrators must use two-step verification. Set it up to open the admin pages.
    </Note>
  )
}
