@NullMarked
package io.hiroba.inbox.gitlab.handling;

import org.jspecify.annotations.NullMarked;
