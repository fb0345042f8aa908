/** The version of this program; the same as in package.json, which a test keeps true. */
export const VERSION = '0.1.0';
