/**
 * What the calls of GitLab's webhooks mean for people's inboxes.
 */
@NullMarked
package io.hiroba.inbox.gitlab.handling;

import org.jspecify.annotations.NullMarked;
