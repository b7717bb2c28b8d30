package io.hiroba.knowledge.sessions;

/** The attributes of a session that its owner sets. */
public record SessionDraft(SessionType type, boolean isPublic, DiscordContext place) {}
