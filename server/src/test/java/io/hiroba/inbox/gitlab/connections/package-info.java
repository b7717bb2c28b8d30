@NullMarked
package io.hiroba.inbox.gitlab.connections;

import org.jspecify.annotations.NullMarked;
