/** What tests share: a database each, a clock that can be set, processes that can be killed. */
@NullMarked
package io.hiroba.testkit;

import org.jspecify.annotations.NullMarked;
