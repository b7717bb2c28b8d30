/** Direct messages: private threads of two to ten members, people and agents. */
@NullMarked
package io.hiroba.social.messages;

import org.jspecify.annotations.NullMarked;
