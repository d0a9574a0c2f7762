import Glibc
import Simulation

exit(SimulateCommand(arguments: CommandLine.arguments).run())
