import { useEffect, useRef } from 'react'
import { type FieldValues, get, type Path, type PathValue, type UseFormReturn } from 'react-hook-form'
import { type DraftOptions, readDraft, removeDraft, writeDraft } from './form-drafts.ts'

type Form<In extends FieldValues, Out> = Pick<
  UseFormReturn<In, unknown, Out>,
  'formState' | 'getValues' | 'setValue' | 'subscribe'
>

/** Keeps what is typed into a form in sessionStorage and fills it in again after hydration, also after a login. */
export function useFormDraft<In extends FieldValues, Out>(
  draft: DraftOptions<Path<In>> | undefined,
  { formState, getValues, setValue, subscribe }: Form<In, Out>,
) {
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  })

  const restore = (): boolean => {
    const values = draft && readDraft(draft)
    for (const [name, value] of Object.entries(values ?? {}))
      setValue(name as Path<In>, value as PathValue<In, Path<In>>, { shouldDirty: true })
    return values !== undefined
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft is read once for each form and record
  useEffect(() => {
    if (!draft) return
    // Text typed before hydration caused no event.
    const isTyped = (name: Path<In>) => (getValues(name) ?? '') !== (get(formState.defaultValues, name) ?? '')
    if (!restore() && draft.fields.some(isTyped)) writeDraft(draft, getValues())
    return subscribe({
      formState: { values: true },
      // Only events of a field have a type. Values that the page sets are not typed.
      callback: ({ type, values }) => {
        if (type && latest.current) writeDraft(latest.current, values)
      },
    })
  }, [draft?.key])

  return {
    restore,
    /** Stores the current values, for fields that the page sets itself. */
    keep: () => draft && writeDraft(draft, getValues()),
    discard: () => draft && removeDraft(draft.key),
  }
}
