/** The value of an environment variable, or null when it is not set or empty. The only place that reads the environment by name. */
export function environmentVariable(name: string): string | null {
  return process.env[name] || null;
}
