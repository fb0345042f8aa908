/** Who a decision comes from: a person, and nothing else yet. In clear, so that another origin can never hide among them. */
export const decisionOrigin = `
  alter table decisions add column origin text not null default 'person' check (origin in ('person'));
`;
