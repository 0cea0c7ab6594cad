import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Output } from '#kit/endpoint.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { Note } from '#web/ui/note.tsx'
import { listWatchableChannels } from '../../admin-contract.ts'
import { directTestForm, testDirect } from '../../admin-direct-contract.ts'
import { directProblemText } from '../../direct-rules.ts'

type Result = Output<typeof testDirect> & { channel: string }

/** A form that opens a channel on the panel and shows whether browsers may load it directly. */
export function DirectTest() {
  const { data: channels } = useQuery(query(listWatchableChannels))
  const [result, setResult] = useState<Result>()
  const send = useSend(testDirect, [])
  const form = useSchemaForm({
    schema: directTestForm,
    id: 'direct-test',
    fields: ['channelId', 'iptvUsername', 'iptvPassword'],
  })
  const offered = channels?.filter(({ hasStream }) => hasStream) ?? []
  const onSubmit = form.onSubmit(async (body) => {
    setResult(undefined)
    const channel = offered.find(({ id }) => id === body.channelId)?.name ?? 'The channel'
    setResult({ ...(await send.mutateAsync({ body })), channel })
  })
  return (
    <form noValidate className="grid gap-5 border-t pt-5" aria-labelledby="direct-test" onSubmit={onSubmit}>
      <h3 id="direct-test">Test a channel</h3>
      <p className="text-fg-2">
        This site opens the channel with a line of the panel and checks the saved hosts. The test uses one connection of
        the line. The username and the password are not stored.
      </p>
      {channels && offered.length === 0 && (
        <Note>No channel has a stream yet. Import the channels of the panel under Catalog first.</Note>
      )}
      <ErrorSummary errors={form.problems} submitCount={form.submitCount} />
      <Field label="Channel" {...form.field('channelId')}>
        <NativeSelect {...form.register('channelId')}>
          {offered.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <Field label="Username of the line" {...form.field('iptvUsername')}>
        <Input {...form.register('iptvUsername')} autoComplete="off" autoCapitalize="none" spellCheck={false} />
      </Field>
      <Field label="Password of the line" {...form.field('iptvPassword')}>
        <PasswordInput {...form.register('iptvPassword')} autoComplete="off" />
      </Field>
      {form.failure && form.problems.length === 0 && <FormError message={form.failure} code={form.failureCode} />}
      <div>
        <Button {...form.button} variant="line">
          Test
        </Button>
      </div>
      {result && <TestResult result={result} />}
    </form>
  )
}

function TestResult({ result: { channel, host, problems, origin } }: { result: Result }) {
  if (problems.length === 0)
    return (
      <Note tone="ok" role="status">
        Browsers may load {channel} directly from {host}.
      </Note>
    )
  return (
    <Note tone="bad" role="alert">
      <p>{channel} goes through this site:</p>
      <ul className="mt-2 list-disc pl-5">
        {problems.map((problem) => (
          <li key={`${problem.code} ${problem.host}`} className="break-words">
            {directProblemText(problem, origin)}
          </li>
        ))}
      </ul>
    </Note>
  )
}
