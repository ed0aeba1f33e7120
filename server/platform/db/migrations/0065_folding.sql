set local lock_timeout = '5s';

-- the name as it is searched: without case, accents and strokes; null: not written yet, or erased
alter table users add column name_folded text;

-- false: written by a version that kept accents in tags
alter table lesson_tags add column folded boolean not null default false;

-- true for what earlier versions folded otherwise: they kept typographic quotes, dashes, × and letters with strokes
create function is_stale_fold(folded text) returns boolean language sql immutable strict parallel safe as $$
  select folded ~ '[\u2018\u2019\u201a\u201b\u2039\u203a\u02b9\u02bb\u02bc\u02bd\u02c8\u2032\u2035`\u00b4\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u2036\u301d\u301e\u301f\u058a\u05be\u1400\u1806\u2010\u2011\u2012\u2013\u2014\u2015\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d\u301c\u3030\u30a0\u2212\u2043\u00d7\u2715\u2716\u2a2f\u2573\u2044\u2215\u2c65\u0180\u023c\u0111\u00f0\u0247\u01e5\u0127\u0268\u0249\u0142\u019a\u00f8\u0275\u024d\u0167\u2c66\u0289\u024f\u01b6\u00e6\u0153\u00df\u00fe\u2800]'
$$;
