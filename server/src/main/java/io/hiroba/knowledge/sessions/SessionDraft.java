package io.hiroba.knowledge.sessions;

/** What an owner says about a session. */
public record SessionDraft(SessionType type, boolean isPublic, DiscordPlace place) {}
