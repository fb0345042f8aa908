/*
 * What `electron` is in these tests: nothing. The rules of the shell get what they need
 * of Electron as arguments; a file that imports it can only be tested in the real one.
 */
throw new Error('Electron does not exist here. Hand in what the rule needs, or prove it in the real window.');
