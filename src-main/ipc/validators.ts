import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { CONTRACT, isCallName, type CallName } from '../../src-shared/ipc/contract.ts';

/** Both return null for what fits, else the rule that was broken, in our own words only. */
export interface Validators {
  input(name: CallName, value: unknown): string | null;
  output(name: CallName, value: unknown): string | null;
}

/**
 * Compiles every schema of the contract once. Only here in the host: it generates
 * code, which the page's content security policy forbids.
 */
export function createValidators(): Validators {
  const ajv = new Ajv2020({ strict: true, strictNumbers: true, allErrors: false });
  const compiled = new Map<string, { input: ValidateFunction; output: ValidateFunction }>();
  for (const [name, entry] of Object.entries(CONTRACT)) {
    if (!isCallName(name) || entry.kind === 'topic') continue;
    compiled.set(name, { input: ajv.compile(entry.input), output: ajv.compile(entry.output) });
  }
  const judge = (part: 'input' | 'output') => (name: CallName, value: unknown) => {
    const validate = compiled.get(name)?.[part];
    if (!validate) throw new Error(`The contract has no ${name}.`);
    // `schemaPath` is a place in our schema; every other part of an error may repeat the value.
    return validate(value) ? null : (validate.errors?.[0]?.schemaPath ?? 'unknown');
  };
  return { input: judge('input'), output: judge('output') };
}
