/** People without an operating-system account: what their passphrase is compared with, and who failed to show one. */
export const people = `
  -- Counts the passphrases a person has had; null = none. Signed with the row and part of the place of the sealed value.
  alter table operators add column proof_number integer;
  alter table operators add column proof_sealed blob;

  create table failed_proofs (
    id integer primary key,
    -- Keyed digest of the name that was given, whether somebody has it or not: what was typed is not kept.
    name_digest text not null,
    at_ms integer not null
  ) strict;
  create index failed_proofs_of_name on failed_proofs (name_digest, at_ms);
`;
