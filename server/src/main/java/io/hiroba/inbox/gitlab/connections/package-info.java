/**
 * The GitLabs that tell of what happens in them, each with an address and a secret.
 */
@NullMarked
package io.hiroba.inbox.gitlab.connections;

import org.jspecify.annotations.NullMarked;
