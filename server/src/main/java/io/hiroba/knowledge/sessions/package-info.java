/**
 * Conversations: messages as they come, and the archiver that makes knowledge of those that have fallen silent.
 *
 * <p>A message is a row with its place in the session; adding one never reads or writes those before it. What the
 * archiver has made knowledge of lies below {@code last_archived_message_index}, which moves in the transaction that
 * writes the source: no message is archived twice or left out.
 */
@NullMarked
package io.hiroba.knowledge.sessions;

import org.jspecify.annotations.NullMarked;
