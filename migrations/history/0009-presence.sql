-- What each process says of its visitors while an administrator looks: one sealed text a process, never on disk for good.
create unlogged table presence (
  process uuid primary key,
  visitors text not null,
  published_at timestamptz not null default now()
);
