@NullMarked
package io.hiroba.inbox.gitlab.deliveries;

import org.jspecify.annotations.NullMarked;
