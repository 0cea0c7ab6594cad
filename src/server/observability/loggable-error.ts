/** Returns the properties of an error that may be logged. The message of a database error contains query parameters, so only its code and cause are logged. */
export function loggableError(error: Error): Record<string, unknown> {
  const cause = error.cause as { code?: string; constraint?: string; message?: string } | undefined
  if (cause?.code)
    return {
      name: error.name,
      code: cause.code,
      constraint: cause.constraint,
      cause: cause.message,
      stack: error.stack?.split('\n').slice(-6).join('\n'),
    }
  return { name: error.name, message: error.message, stack: error.stack }
}
