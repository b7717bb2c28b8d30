@NullMarked
package io.hiroba.agents.remote;

import org.jspecify.annotations.NullMarked;
