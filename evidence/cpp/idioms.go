package cpp

import ()
