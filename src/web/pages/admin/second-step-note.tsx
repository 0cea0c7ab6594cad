import { useQuery } from '@tanstack/react-query'
import { getTwoFactor } from '#features/two-factor/contract.ts'
import { query } from '#web/data.ts'
import { ButtonLink } from '#web/ui/button-link.tsx'
import { Note } from '#web/ui/note.tsx'

/** Tells an administrator why nothing opens here, where the operator asks for a second step that they have not set up. */
export function SecondStepNote() {
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
      Administrators need two-step verification here. Nothing opens before you have set it up.
    </Note>
  )
}
