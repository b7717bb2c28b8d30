SELECT id, owned_by, session_key, session_type, is_public, status, guild_id, channel_id, thread_id, user_id, version,
message_count, last_archived_message_index, created_at, last_active_at FROM knowledge.sessions
WHERE owned_by = :owner AND is_public
ORDER BY last_active_at DESC, id DESC
LIMIT :limit
